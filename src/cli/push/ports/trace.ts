import type { LocatedProblem, RecordOutcome } from './report.ts';

/** Which records are traced: those on a line, or those of an account. */
export interface TraceChoice {
  readonly line?: number | undefined;
  readonly account?: string | undefined;
}

/** One attempt to send the request of a record. */
export interface TracedAttempt {
  /** The request that was sent. A request that is cut has other numbers for its parts. */
  readonly batch: number;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly status: number | null;
  readonly result: string | null;
  readonly reason: string | null;
}

/** Where a row is, how it ended and why, as documents have it. */
export interface TracedRecord {
  readonly file: string;
  readonly line: number;
  readonly last_line: number;
  /** `changed`, `moved`: the platform has its record with other values, or on another account. */
  readonly outcome: RecordOutcome | 'invalid' | 'filtered';
  /** Why the row is left out, and the place in the mapping file; null for other rows. */
  readonly cause: string | null;
  readonly place: string | null;
  readonly attempts: readonly TracedAttempt[];
  readonly problems: readonly LocatedProblem[];
}
