import type { AccountKey } from '../../core/contract/account.ts';
import type { RowOutcome } from '../push/ports/report.ts';

/** A record on one side of a comparison. Both sides come in the order of account, key, variant and number. */
export interface ComparedRecord extends AccountKey {
  /** Key and variant as the journal has them: an id as it is, anything else hashed. */
  readonly key: string;
  readonly variant: string;
  /** Number of the row among those that were read, or of the line in the ledger. */
  readonly seq: number;
  readonly type: string | null;
  /** Plain decimal text; null for a record without an amount. */
  readonly amount: string | null;
  /** SHA-256 of the content. */
  readonly content: Buffer;
}

/** A record that was read from the files again. */
export interface SourceRecord extends ComparedRecord {
  /** Number of the source, from 1, and the line there. */
  readonly source: number;
  readonly line: number;
}

/** A record of a journal. */
export interface SentRecord extends Pick<ComparedRecord, 'type' | 'amount' | 'content'> {
  /** The number of the reading that has read it last. */
  readonly reading: number;
  readonly outcome: RowOutcome;
}

/** A record of a ledger, with its whole content. */
export interface StoredRecord extends ComparedRecord {
  /** JSON text as the ledger has it. */
  readonly data: string;
}

/** Records that belong to no record of the other side under their account and key, on disk. */
export interface UnpairedStore {
  addMissing(record: SourceRecord): void;
  addExtra(record: ComparedRecord): void;
  /** All of them, once every record is in: both sides of a record that is on another account, and the rest alone. */
  pairs(): Iterable<Unpaired>;
}

/** A row without its record, a record without its row, or a record on another account. */
export type Unpaired =
  | { readonly source: SourceRecord; readonly found: ComparedRecord | null }
  | { readonly source: null; readonly found: ComparedRecord };
