import type { AccountKey } from '../../../core/contract/account.ts';
import type { LocatedProblem, UnsentReason } from './report.ts';

/** Accounts that did not finish, listed at most. Their number is always given. */
export const LISTED_UNFINISHED = 50;

/** An account with records that are not on the platform, or not proven to be added by us. The JSON documents have its keys. */
export interface UnfinishedAccount extends AccountKey {
  /** The first row of a record that did not arrive. */
  readonly file: string;
  readonly line: number;
  readonly records: number;
  readonly arrived: number;
  readonly rejected: number;
  readonly verify: number;
  readonly unknown: number;
  readonly not_sent: number;
  /** The error of the first record that did not arrive; null when the run has none for it. */
  readonly error: LocatedProblem | null;
}

/** Accounts that were not sent for one reason, when `migrate` came to its end. */
export interface UnsentGroup {
  readonly reason: UnsentReason;
  readonly accounts: number;
  /** Their records that were not sent. */
  readonly rows: number;
}

/** A run in figures, counted by the database. */
export interface RunMeasures {
  /** Accounts with valid records. */
  readonly accounts: number;
  /** The first `LISTED_UNFINISHED`, in file order. */
  readonly unfinished: readonly UnfinishedAccount[];
  readonly unfinishedTotal: number;
  readonly unsent: readonly UnsentGroup[];
  /** When the first request was sent and the last answer came; null when nothing was sent. */
  readonly sent: Readonly<Record<'first' | 'last', string | null>>;
  readonly decisions: readonly Decision[];
}

/** An event of the run in which a person overruled it, or in which a ledger settled rows. */
export interface Decision {
  readonly at: string;
  readonly by: string | null;
  /** `again`: every record was planned again (`--again`). */
  readonly kind: 'arrived' | 'missing' | 'again';
  /** The ledger that proved the rows; null for the word of a person. */
  readonly ledger: string | null;
  readonly rows: number;
}
