import type { ExitName } from '../exit-codes.ts';
import type { LeftOut, ProblemGroup, RunReport } from '../../push/ports/report.ts';
import type { Behind, Picture } from '../../push/ports/look.ts';

/** How a command about a run ended, and the next command to type. */
export interface Ending {
  readonly exit: ExitName;
  /** Whether the same command goes on with the run. */
  readonly resumable: boolean;
  /** Null when nothing is left to do. */
  readonly next: string | null;
}

export interface CheckResult {
  readonly report: RunReport;
  readonly ending: Ending;
  /** Further facts for a person, one line each. */
  readonly notes?: readonly string[];
  /** What would be sent, and what would not; only of a check. */
  readonly picture?: Picture;
  readonly behind?: readonly Behind[];
}

/** A run, as `push` and `runs show` report it. */
export interface RunResult extends CheckResult {
  /** Id of the run; null when nothing was kept. */
  readonly run: string | null;
  /** How long the command took; left out of a resource of a cohort, and of a run that is only shown. */
  readonly durationMs?: number;
  /** Requests of earlier commands, of a resource of a cohort. */
  readonly earlierRequests?: number;
  /** The requests that would be sent; only where nothing was to be sent. */
  readonly plan?: SendingPlan;
  /** What the run was made from (`runs show`). */
  readonly origin?: RunOrigin;
  /** Rows that arrived by this command; only after a command that sends. */
  readonly arrivedNow?: number;
  /** Whether the problems belong to files that were read now. Then GitHub shows them beside their lines. */
  readonly isOfFiles?: boolean;
  /** The warnings that were printed before the rows were sent. */
  readonly printed?: readonly ProblemGroup[];
}

/** The requests that a push would send. */
export interface SendingPlan {
  /** Base URL; null when none is set. */
  readonly target: string | null;
  readonly requests: number;
  readonly accounts: number;
  readonly records: number;
}

/** What a run was made from, and where it is kept. */
export interface RunOrigin {
  readonly id: string;
  readonly createdAt: string;
  readonly toolVersion: string;
  readonly target: string;
  readonly sources: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
  readonly runFile: string;
}

/** The document of `check --json` (docs/check.md). */
export const checkFields = ({ report, picture, behind }: CheckResult) => ({
  resource: report.resource,
  rows: report.rows,
  control_totals: report.controlTotals,
  left_out: report.leftOut.map(leftOutDocument),
  groups: [...report.errorGroups, ...report.warningGroups].map(groupDocument),
  problems_total: report.problemsTotal,
  ...(picture && { picture }),
  ...(behind && { stays_behind: behind }),
});

/** The document of `push --json` and `runs show --json` (docs/exit-codes.md). */
export const runFields = (result: RunResult) => {
  const { report, run, durationMs, plan, arrivedNow, earlierRequests = 0 } = result;
  const { total, retried, byStatus } = report.requests;
  return {
    ...checkFields(result),
    run,
    changed: report.changed,
    ...(arrivedNow !== undefined && { arrived_now: arrivedNow }),
    requests: { total, retried, by_status: byStatus },
    accounts: report.accounts,
    // A command that goes on with a run reads the earlier links of its chain as they are.
    ...(run !== null && { chain: { ...report.chain, proven: earlierRequests === 0 } }),
    ...(durationMs !== undefined && { duration_ms: Math.round(durationMs) }),
    ...(plan && { plan }),
  };
};

/** Rows that were left out, as documents have them. */
const leftOutDocument = ({ kind, place, count }: LeftOut) => ({
  reason: kind,
  place: place === '' ? null : place,
  count,
});

/** A group of problems, as documents have it. */
export const groupDocument = ({ first: { code, severity, file, header }, count, lines }: ProblemGroup) => ({
  code,
  severity,
  file,
  header,
  count,
  first_lines: lines,
});
