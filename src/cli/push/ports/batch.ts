import type { AccountKey } from '../../../core/contract/account.ts';
import type { RecordPart } from '../../mapping/column-map.ts';

/** A record as it waits in the run file. */
export interface BatchRecord {
  /** Position among the rows of the run, from 1. */
  readonly seq: number;
  /** The source of its row, counted from 1, and the first physical line there. */
  readonly source: number;
  readonly line: number;
  /** Items of its lists that come from other rows or files. */
  readonly parts: readonly RecordPart[];
  /** What the platform's answers name it by: transaction id, statement id, reference; null for notes. */
  readonly id: string | null;
  /** JSON text of the record, sent as it is. */
  readonly payload: string;
}

/** Records of one account that travel in one request. */
export interface Batch {
  readonly id: number;
  readonly account: AccountKey;
  readonly records: readonly BatchRecord[];
  /** The attempt that is about to be made, from 1. */
  readonly attempt: number;
  /** Whether an earlier attempt may have been applied, wholly or in part. */
  readonly unsure: boolean;
}

/** A batch that was not sent yet, as far as its size goes. */
export interface PlannedRequest {
  readonly account: AccountKey;
  readonly records: number;
  /** Bytes of the JSON texts of its records. */
  readonly payloadBytes: number;
}

/** How many records and bytes one request may hold. */
export interface BatchLimits {
  readonly records: number;
  readonly bytes: number;
}

/** A record on its way into a batch. */
export interface PlannableRecord {
  readonly seq: number;
  /** The source of its row, counted from 1, and the first physical line there. */
  readonly source: number;
  readonly line: number;
  readonly accountId: number;
  /** Bytes of its JSON text. */
  readonly bytes: number;
}

/** Consecutive records of one account; records of an account between `firstSeq` and `lastSeq` all belong to it. */
export interface PlannedBatch {
  readonly accountId: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly records: number;
}
