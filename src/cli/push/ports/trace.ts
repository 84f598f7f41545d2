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
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly status: number | null;
  readonly result: string | null;
  readonly reason: string | null;
}

/** Everything that a run knows of one row. */
export interface TracedRecord {
  readonly seq: number;
  /** `changed`, `moved`, `pending`: it is no record of its own, because of a record that arrived, or may have. */
  readonly state: 'valid' | 'changed' | 'moved' | 'pending' | 'invalid' | 'filtered';
  /** Number of its source in the run, from 1. */
  readonly source: number;
  readonly line: number;
  readonly lastLine: number;
  readonly importSupplier: string | null;
  readonly account: string | null;
  readonly id: string | null;
  readonly type: string | null;
  readonly amount: string | null;
  /** JSON text; null once it is erased. */
  readonly payload: string | null;
  /** In hexadecimal; null for a row that is no record. */
  readonly payloadSha256: string | null;
  /** Why the row is left out, and the place in the mapping file; null for other rows. */
  readonly cause: string | null;
  readonly place: string | null;
  /** Null for a row that is no record. */
  readonly outcome: RecordOutcome | null;
  /** The other journal that has the record; null for an outcome of this one. */
  readonly origin: string | null;
  readonly batch: { readonly id: number; readonly state: string; readonly inDoubt: number } | null;
  readonly attempts: readonly TracedAttempt[];
  readonly problems: readonly LocatedProblem[];
}
