import * as z from 'zod/mini';
import { SEVERITIES } from '../../core/problem.ts';
import { RESOURCES } from '../../core/contract/resources.ts';
import type { AppError } from '../../core/app-error.ts';
import { EXITS, type ExitName } from '../exit-codes.ts';
import type { RunReport } from '../push/ports/report.ts';

const count = z.int().check(z.nonnegative());
const decimalText = z.string().check(z.regex(/^-?\d+(\.\d+)?$/));

/** One problem. */
const problemDocument = z.strictObject({
  code: z.string(),
  severity: z.enum(SEVERITIES),
  file: z.string(),
  line: z.nullable(count),
  column: z.nullable(count),
  header: z.nullable(z.string()),
  attr: z.nullable(z.string()),
  detail: z.string(),
  next: z.nullable(z.string()),
  http_status: z.nullable(count),
});

/** Problems of one code, one file and one column. */
const groupDocument = z.strictObject({
  code: z.string(),
  severity: z.enum(SEVERITIES),
  file: z.string(),
  header: z.nullable(z.string()),
  count,
  first_lines: z.array(count),
});

/** The requests that a push would send. */
const planDocument = z.strictObject({
  /** Base URL; null when none is set. */
  target: z.nullable(z.string()),
  requests: count,
  accounts: count,
  records: count,
  /** Bytes of the bodies of all requests. */
  bytes: count,
  largest_request: z.strictObject({ records: count, bytes: count }),
});
export type SendingPlan = z.infer<typeof planDocument>;

const rows = z.strictObject({
  read: count,
  created: count,
  existing: count,
  verify: count,
  rejected: count,
  unknown: count,
  not_sent: count,
  invalid: count,
  filtered: count,
});

const controlTotal = z.strictObject({
  type: z.nullable(z.string()),
  currency: z.null(),
  count,
  read: z.nullable(decimalText),
  accepted: z.nullable(decimalText),
});

const exit = z.strictObject({ code: count, name: z.string(), resumable: z.boolean() });

/** The document of `push --json`, `resume --json`, `retry --json` and `runs show --json`. */
export const runDocument = z.strictObject({
  version: z.literal(1),
  /** Null when nothing was kept: the rows were invalid, or nothing was to be sent. */
  run: z.nullable(z.string()),
  /** The run that the records were taken over from (`retry`); null for a push. */
  parent: z.nullable(z.string()),
  resource: z.enum(RESOURCES),
  exit,
  rows,
  requests: z.strictObject({ total: count, retried: count, by_status: z.record(z.string(), count) }),
  accounts: z.strictObject({ total: count, done: count, stopped: count }),
  control_totals: z.array(controlTotal),
  /** All problems by cause, errors first. */
  groups: z.array(groupDocument),
  problems: z.array(problemDocument),
  /** Number of all problems, listed or not. */
  problems_total: count,
  duration_ms: count,
  /** Only with --dry-run. */
  plan: z.optional(planDocument),
  /** The next command to type; null when there is nothing left to do. */
  next: z.nullable(z.string()),
});
export type RunDocument = z.infer<typeof runDocument>;

/** The document of `check --json`. */
export const checkDocument = z.pick(runDocument, {
  version: true,
  resource: true,
  exit: true,
  rows: true,
  control_totals: true,
  groups: true,
  problems: true,
  problems_total: true,
  next: true,
});
export type CheckDocument = z.infer<typeof checkDocument>;

/** How a command about a run ended, and the next command to type. */
export interface Ending {
  readonly exit: ExitName;
  /** Whether `resume` can continue the run. */
  readonly resumable: boolean;
  /** Null when nothing is left to do. */
  readonly next: string | null;
}

/** A check of files. */
export interface CheckResult {
  readonly kind: 'check';
  readonly report: RunReport;
  readonly ending: Ending;
  /** Further facts for a person, one line each. */
  readonly notes?: readonly string[];
}

/** A run, as `push`, `resume`, `retry` and `runs show` report it. */
export interface RunResult extends Omit<CheckResult, 'kind'> {
  readonly kind: 'run';
  /** Id of the run; null when nothing was kept. */
  readonly run: string | null;
  readonly durationMs: number;
  /** The requests that would be sent; only where nothing was to be sent. */
  readonly plan?: SendingPlan;
  /** What the run was made from (`runs show`). */
  readonly origin?: RunOrigin;
  /** Whether the run had ended before, so that nothing was sent now (`resume`). */
  readonly endedBefore?: boolean;
  /** Whether the problems belong to files that were read now. Then GitHub shows them beside their lines. */
  readonly isOfFiles?: boolean;
  /** Why the file of --report-json was not written. */
  readonly reportFailure?: AppError | undefined;
}

/** What a run was made from, and where it is kept. */
export interface RunOrigin {
  readonly id: string;
  readonly createdAt: string;
  readonly toolVersion: string;
  readonly target: string;
  readonly sources: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
  /** The run that the records were taken over from; null for a push. */
  readonly parent: string | null;
  readonly runFile: string;
}

/** The document of a run. */
export function runDocumentOf(result: Omit<RunResult, 'kind'>): RunDocument {
  const { report, run, durationMs, plan } = result;
  const { requests, accounts, parent } = report;
  return {
    ...checkDocumentOf(result),
    run,
    parent,
    requests: { total: requests.total, retried: requests.retried, by_status: { ...requests.byStatus } },
    accounts: { ...accounts },
    duration_ms: Math.round(durationMs),
    ...(plan === undefined ? {} : { plan }),
  };
}

/** The document of a check. */
export function checkDocumentOf({ report, ending }: Omit<CheckResult, 'kind'>): CheckDocument {
  const { code, name } = EXITS[ending.exit];
  return {
    version: 1,
    resource: report.resource,
    exit: { code, name, resumable: ending.resumable },
    rows: { ...report.rows },
    control_totals: report.controlTotals.map((total) => ({ ...total })),
    groups: [...report.errorGroups, ...report.warningGroups].map(({ first, count: size, lines }) => ({
      code: first.code,
      severity: first.severity,
      file: first.file,
      header: first.header,
      count: size,
      first_lines: [...lines],
    })),
    problems: report.problems.map((problem) => ({ ...problem })),
    problems_total: report.problemsTotal,
    next: ending.next,
  };
}
