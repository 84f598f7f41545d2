import type { Resource } from '../../../core/contract/resources.ts';
import type { LocatedProblem } from './located-problem.ts';
import type { RowCounts } from './record-outcome.ts';

/** Problems that a report lists at most; it tells how many there are. */
export const LISTED_PROBLEMS = 1_000;

/** Lines that a group of problems names at most. */
export const LINES_OF_GROUP = 5;

/** Counts and exact sums of one type of record: as read, and as created or already there. */
export interface ControlTotal {
  /** Transaction type; null when the resource has no types. */
  readonly type: string | null;
  /** Always null: the interface names no currency. */
  readonly currency: null;
  /** Valid records read. */
  readonly count: number;
  /** Exact sum of their amounts as decimal text; null when the resource has no amounts. */
  readonly read: string | null;
  /** The same for records that are created or existing. */
  readonly accepted: string | null;
}

/** What a run has come to, as the run file tells it. */
export interface RunReport {
  readonly run: string;
  readonly resource: Resource;
  /** The run that its records were taken over from (`retry`). */
  readonly parent: string | null;
  readonly rows: RowCounts;
  readonly requests: {
    readonly total: number;
    /** Attempts that were made after the first of a batch; one of which no byte left was not made. */
    readonly retried: number;
    /** By HTTP status; `lost` and `not_sent` where no answer came. */
    readonly byStatus: Readonly<Record<string, number>>;
  };
  readonly accounts: { readonly total: number; readonly done: number; readonly stopped: number };
  readonly controlTotals: readonly ControlTotal[];
  /** The first `LISTED_PROBLEMS` of them, in file order; `problemsTotal` counts all. */
  readonly problems: readonly LocatedProblem[];
  readonly problemsTotal: number;
  readonly errorsTotal: number;
  /** All errors and all warnings by what they are about, the largest group first. */
  readonly errorGroups: readonly ProblemGroup[];
  readonly warningGroups: readonly ProblemGroup[];
}

/** Problems of one code, one file and one column. */
export interface ProblemGroup {
  readonly count: number;
  /** The first of them, in file order. */
  readonly first: LocatedProblem;
  /** The first `LINES_OF_GROUP` lines that have it, each once. */
  readonly lines: readonly number[];
}
