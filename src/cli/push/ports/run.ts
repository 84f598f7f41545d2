import type { AccountKey } from '../../../core/contract/account.ts';
import type { RecordIdentity } from '../../../core/rules/record-identity.ts';
import type { SourceRow } from '../../csv/source-row.ts';
import type { RecordPart } from '../../mapping/column-map.ts';
import type { Batch, PlannableRecord, PlannedBatch } from './batch.ts';
import type { LocatedProblem } from './located-problem.ts';
import type { SettledOutcome } from './record-outcome.ts';
import type { WholeFile } from './whole-file.ts';

/** The rows of a record, as one span of lines and bytes, and the source that they stand in; sources count up from 1. */
export interface RowPlace {
  readonly source: number;
  readonly row: Omit<SourceRow, 'cells'>;
}

/** A row that passed the check, ready to be kept. */
export interface StagedRecord {
  readonly place: RowPlace;
  /** Items of its lists that come from other rows or files. */
  readonly parts: readonly RecordPart[];
  readonly account: AccountKey;
  /** JSON text, as it will be sent. */
  readonly payload: string;
  readonly identity: RecordIdentity;
  /** What the platform's answers name it by; null for notes. */
  readonly id: string | null;
  /** What control totals are split by. */
  readonly type: string | null;
  /** Plain decimal text. */
  readonly amount: string | null;
}

/** What staging needs of the run file. Rows are appended in the order of the sources and their lines. */
export interface StagingRun extends WholeFile {
  appendRecord(record: StagedRecord): void;
  appendInvalid(place: RowPlace): void;
  appendFiltered(place: RowPlace): void;
  appendProblem(problem: LocatedProblem): void;
  /** Turns a record that was appended as valid into an invalid row. */
  invalidate(seq: number): void;
  /** Valid records in the order of accounts (by first row) and then of the file, after `after`, at most `limit`. */
  plannable(after: PlannableRecord | undefined, limit: number): readonly PlannableRecord[];
  appendBatch(batch: PlannedBatch): void;
}

/** A record of the batch and what the answer settled for it; `null` when the answer settles nothing for it. */
export interface RecordReading {
  readonly seq: number;
  readonly outcome: SettledOutcome | null;
  /** Whether the platform has it with another date than was sent (interface.md 4.3). */
  readonly dateMoved?: boolean;
  /** The first field whose value on the platform is another one than was sent, of a record that was there before. */
  readonly differsIn?: 'amount' | 'type';
}

/** How one attempt ended when it settled nothing. */
export type FailedAttempt = { readonly status: number | null; readonly reason: string } & (
  | { readonly kind: 'not_applied' }
  /** `problems`: what is told of its records until they are sent again. */
  | { readonly kind: 'ambiguous'; readonly problems?: readonly LocatedProblem[] }
  /** The platform refused the request as a whole; `unsure` when records of it may have been kept all the same. */
  | { readonly kind: 'refused'; readonly unsure: boolean }
);

/** What an answer settled. */
export interface Settlement {
  readonly status: number;
  readonly records: readonly RecordReading[];
  /** `rejected` leaves the batch to `resume`; `again` leaves those of its records that are not settled to be sent next. */
  readonly state: 'done' | 'rejected' | 'again';
  readonly problems: readonly LocatedProblem[];
  /** Whether records of the batch that the answer did not settle may have been kept all the same. */
  readonly unsure: boolean;
}

/**
 * What draining needs of the run file. Each verb is one transaction, on disk before it returns.
 * @throws AppError `run_write_failed` when the disk does not take it; then nothing of the verb has happened
 */
export interface DrainRun {
  /** The first account after `after` that has an open batch; accounts count up in the order of the file. */
  nextAccount(after: number): number | undefined;
  /** Marks the account's next open batch as sent. Undefined when the account has none. */
  claimNext(accountId: number): Batch | undefined;
  /** Marks another attempt at a batch that is claimed. */
  claimAgain(batch: Batch): Batch;
  /** Records an attempt whose token was refused, and marks the one that leaves at once with another token. */
  renewToken(batch: Batch): Batch;
  /** Records an attempt that settled nothing; the batch stays sent when an attempt may have been applied. */
  fail(batch: Batch, attempt: FailedAttempt): void;
  /** Records what an answer settled and, when asked, claims the account's next batch in the same transaction. */
  settle(batch: Batch, settlement: Settlement, next: 'claim_next' | 'claim_none'): Batch | undefined;
  /** Puts each record of a claimed batch that is unsure into a batch of its own, all unsure and none claimed. */
  splitIntoSingles(batch: Batch): void;
  /** Records an attempt that the whole batch was refused in, and puts each half of the batch into one of its own. */
  splitInHalves(batch: Batch, attempt: FailedAttempt): void;
}

/** What the user chose for the requests of a run (interface.md 4.3). */
export interface RequestOptions {
  readonly checkPreviouslyAdded: boolean;
  readonly forceAddToCurrentStatement: boolean;
}

/** Whether a refused record ends the run, or is set aside. */
export const ON_REJECT = ['stop', 'skip'] as const;
export type OnReject = (typeof ON_REJECT)[number];

/** Whether what may have been applied is sent again, with the check on, or left for a person to look at. */
export const ON_AMBIGUOUS = ['resend', 'stop'] as const;
export type OnAmbiguous = (typeof ON_AMBIGUOUS)[number];

/** What the user chose for a whole run; written down with it. */
export interface RunOptions extends RequestOptions {
  readonly onReject: OnReject;
  readonly onAmbiguous: OnAmbiguous;
}
