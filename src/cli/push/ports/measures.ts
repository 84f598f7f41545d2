import type { UnsentReason } from './report.ts';

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
  /** Those of them with a record that is not on the platform, or not proven to be there. */
  readonly unfinished: number;
  readonly unsent: readonly UnsentGroup[];
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
