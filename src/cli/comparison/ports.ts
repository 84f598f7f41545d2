import type { AccountKey } from '../../core/contract/account.ts';
import type { RecordOutcome } from '../push/ports/report.ts';

/** A record on one side of a comparison. Both sides come in the order of account, key, variant and number. */
export interface ComparedRecord extends AccountKey {
  /** Key and variant as the journal has them: an id as it is, anything else hashed. */
  readonly key: string;
  readonly variant: string;
  /** Number of the record in its run or ledger. */
  readonly seq: number;
  readonly type: string | null;
  /** Plain decimal text; null for a record without an amount. */
  readonly amount: string | null;
  /** SHA-256 of the content. */
  readonly content: Buffer;
}

/** A record that was read from the source files again. */
export interface SourceRecord extends ComparedRecord {
  /** Number of the source, from 1, and the lines and bytes there. */
  readonly source: number;
  readonly line: number;
  readonly lastLine: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  /** SHA-256 of the JSON text that is sent. Equal values may be written in several forms. */
  readonly form: Buffer;
  /** The checksum that a journal keeps of a record. */
  readonly checksum: number;
}

/** A record of the other side, such as a run or a ledger. */
export interface FoundRecord extends ComparedRecord {
  /** Number of the run, from 0; 0 for a ledger. */
  readonly origin: number;
}

/** A record of a journal: the facts of its row as the journal has them, and the outcome that an answer gave it. */
export interface SentRecord extends FoundRecord, SourceRecord {
  /** The number of the reading that has read it last. */
  readonly reading: number;
  readonly outcome: RecordOutcome;
  /** The amount that the answer names; null when it names none. */
  readonly answered: string | null;
  /** The name of the other journal that brought the record there; else null. */
  readonly sentBy: string | null;
}

/** The request that a record of a run was sent with, and its last attempt. */
export interface AnswerTo {
  readonly batch: number;
  /** Null when no answer came. */
  readonly status: number | null;
}

/** A record of a ledger, with its whole content. */
export interface StoredRecord extends Omit<FoundRecord, 'origin'> {
  /** JSON text as the ledger has it. */
  readonly data: string;
}

/** Records that belong to no record of the other side under their account and key, on disk. */
export interface UnpairedStore<F extends FoundRecord> {
  addMissing(record: SourceRecord): void;
  addExtra(record: F): void;
  /** All of them, once every record is in: both sides of a record that is on another account, and the rest alone. */
  pairs(): Iterable<Unpaired<F>>;
}

/** A record of the source without its counterpart, a record of the other side without one, or a record on another account. */
export type Unpaired<F extends FoundRecord> =
  | { readonly source: SourceRecord; readonly found: F | null }
  | { readonly source: null; readonly found: F };
