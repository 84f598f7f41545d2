import * as z from 'zod/mini';
import { SEVERITIES } from '../../core/problem.ts';
import { RESOURCES } from '../../core/contract/resources.ts';
import { EXITS, type ExitName } from '../exit-codes.ts';
import type { RunReport } from '../push/ports/report.ts';

const count = z.int().check(z.nonnegative());
const decimalText = z.string().check(z.regex(/^-?\d+(\.\d+)?$/));

/** One problem as the documents show it. */
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

/** What a push would send. */
const planDocument = z.strictObject({
  /** Base URL; null when none is set. */
  target: z.nullable(z.string()),
  requests: count,
  accounts: count,
  records: count,
  /** Of the bodies of all requests. */
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

/** What `push --json`, `resume --json` and `runs show --json` print. */
export const pushDocument = z.strictObject({
  version: z.literal(1),
  /** Null when nothing was kept: the rows were invalid, or nothing was to be sent. */
  run: z.nullable(z.string()),
  /** The run that its records were taken over from (`retry`); null for a push. */
  parent: z.nullable(z.string()),
  resource: z.enum(RESOURCES),
  exit,
  rows,
  requests: z.strictObject({ total: count, retried: count, by_status: z.record(z.string(), count) }),
  accounts: z.strictObject({ total: count, done: count, stopped: count }),
  control_totals: z.array(controlTotal),
  /** All problems by what they are about, errors first. */
  groups: z.array(groupDocument),
  problems: z.array(problemDocument),
  /** All problems, also those that are not listed. */
  problems_total: count,
  duration_ms: count,
  /** Only with --dry-run. */
  plan: z.optional(planDocument),
  /** The next command to type; null when there is nothing left to do. */
  next: z.nullable(z.string()),
});
export type PushDocument = z.infer<typeof pushDocument>;

/** What `check --json` prints. */
export const checkDocument = z.pick(pushDocument, {
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

/** What a command adds to the report of its run. */
export interface Ending {
  readonly exit: ExitName;
  /** Whether `resume` can go on with the run. */
  readonly resumable: boolean;
  readonly next: string | null;
  readonly durationMs: number;
  /** What else a person has to know, a line for each. */
  readonly notes?: readonly string[];
  /** What would be sent; only where nothing was to be sent. */
  readonly plan?: SendingPlan;
}

/** The document of a run. */
export function pushDocumentOf(
  report: RunReport,
  ending: Ending,
  run: string | null = report.run,
): PushDocument {
  const { requests } = report;
  return {
    ...checkDocumentOf(report, ending),
    run,
    parent: report.parent,
    requests: { total: requests.total, retried: requests.retried, by_status: { ...requests.byStatus } },
    accounts: { ...report.accounts },
    duration_ms: Math.round(ending.durationMs),
    ...(ending.plan === undefined ? {} : { plan: ending.plan }),
  };
}

/** The document of a check. */
export function checkDocumentOf(report: RunReport, ending: Ending): CheckDocument {
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
