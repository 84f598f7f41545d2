import type { AccountKey } from '../../../core/contract/account.ts';
import type { RecordIdentity } from '../../../core/contract/descriptor.ts';
import type { Tally } from '../../../core/values/counts.ts';
import type { SourceRow } from '../../csv/source-row.ts';
import type { ColumnMap, RecordPart } from '../../mapping/column-map.ts';
import type { LeftOutCause, LocatedProblem, RecordOutcome } from './report.ts';

/** Where the rows of a record are in the inputs of a run: the source, counted from 1, with a span of lines and bytes. */
export interface SourcePosition extends Omit<SourceRow, 'cells' | 'endsAtEof' | 'filledGaps'> {
  readonly source: number;
}

/** A line of a source, counted from 1. */
export interface SourceLine {
  /** Number of the source, counted from 1. */
  readonly source: number;
  readonly line: number;
}

/** A valid record as it is counted. */
export interface CountedRecord {
  readonly position: SourcePosition;
  readonly account: AccountKey;
  readonly identity: RecordIdentity;
  /** The id by which the platform's answers name it; null for notes. */
  readonly id: string | null;
  /** Control totals are split by it; null when the resource has no types. */
  readonly type: string | null;
  /** Plain decimal text; null when the record has no amount. */
  readonly amount: string | null;
}

/** A valid record with everything that the journal keeps of it. */
export interface StagedRecord extends CountedRecord {
  /** Items of its lists that come from other rows or files. */
  readonly parts: readonly RecordPart[];
  /** Its JSON text, sent unchanged, and the same text with equal values written alike. A run that only counts needs neither. */
  readonly texts: () => Readonly<Record<'payload' | 'valueText', string>>;
}

/** A record that is not in a batch yet. */
export interface PlannableRecord {
  readonly seq: number;
  readonly accountId: number;
  /** Bytes of its JSON text. */
  readonly bytes: number;
}

/** Consecutive records of one account: all its records from `firstSeq` to `lastSeq`. */
export interface PlannedBatch {
  readonly accountId: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly records: number;
}

/** Most records and bytes of one request. */
export type BatchLimits = { readonly records: number; readonly bytes: number };

/** The account and the id of a record, and its amount, where they can be read. */
export type NamedRecord = Pick<StagedRecord, 'account' | 'id' | 'amount'>;

/** Operations that staging needs of the journal. Rows are appended in the order of the sources and their lines. */
export interface StagingRun extends WholeFile {
  appendRecord(record: StagedRecord): void;
  /** `named`: whose record the row is, where it says so. */
  appendInvalid(position: SourcePosition, named?: NamedRecord): void;
  appendFiltered(position: SourcePosition, cause: LeftOutCause): void;
  /** `isOfHistory`: found by the comparison with the journal. Default: false. */
  appendProblem(problem: LocatedProblem, isOfHistory?: boolean): void;
  /** Turns a record that was appended as valid into an invalid row. */
  invalidate(seq: number): void;
  /** Makes a record that was appended as valid a repetition of another one: it is not sent, and ends as that one does. */
  repeat(seq: number, first: number): void;
  /** Valid records in the order of accounts (by first row) and then of the file, after `after`, at most `limit`. */
  plannable(after: PlannableRecord | undefined, limit: number): readonly PlannableRecord[];
  appendBatch(batch: PlannedBatch): void;
  /** Compares the records with the journal; undefined without one. */
  compared(): Conflicts | undefined;
  /** Writes what was appended to disk. */
  commit(): void;
  /** A new finder of repeated hashes, whose memory does not grow with them. */
  repeatedHashes(): RepeatedHashes;
}

/** Finds out whether any hash was added twice. */
export interface RepeatedHashes {
  /** Adds a hash, as a whole number. */
  add(hash: number): void;
  hasRepeated(): boolean;
}

/** A source that is read to its end. */
export interface FinishedSource {
  readonly columns: ColumnMap;
  /** The byte at which its first row begins. */
  readonly rowsFrom: number;
}

/** A journal that is being staged. */
export interface NewRun {
  /** Whether it keeps valid records, or only counts them because they are never sent. */
  readonly keepsRecords: boolean;
  staging(): StagingRun;
  /** Creates the indexes that planning needs, once all rows are appended. */
  index(): void;
  /** Keeps what is known of the sources, in their order, once all of them are read. */
  finishStaging(sources: readonly FinishedSource[]): void;
}

/** How often something occurs, and the first record that shows it. */
export type RowTally = Readonly<Tally<SourceLine>>;

/** A record that repeats another record, or is repeated by one. */
export interface Repetition extends SourceLine {
  readonly seq: number;
  /** Whether all records of its group have the same content. */
  readonly exact: 0 | 1;
  /** The number of the first record of its group. */
  readonly firstSeq: number;
  /** The first record of the group with other content. In an exact group the first record, or the second for the first. */
  readonly otherSource: number;
  readonly otherLine: number;
}

/** A place in a file that another run has read. */
export type EarlierPosition = { readonly file: string; readonly line: number; readonly run: string };

/** Why the journal keeps a row from being sent. */
export type ConflictKind = Extract<RecordOutcome, 'changed' | 'moved' | 'verify'>;

/** A row that the journal keeps from being sent as it is. */
export interface HistoryConflict extends SourceLine {
  readonly seq: number;
  readonly kind: ConflictKind;
  /** `wasCompared`: whether the platform is known to have the earlier content. */
  readonly earlier: EarlierPosition & { readonly wasCompared: boolean };
  /** What is known to differ from the earlier record, whose other values may be erased. */
  readonly differs: readonly ('type' | 'amount')[];
}

/** The rows that the journal keeps from being sent as they are. */
export interface Conflicts {
  /** In file order, after the record `after`, at most `limit`. */
  conflicts(after: number, limit: number): readonly HistoryConflict[];
}

/** Groups of records with the same account, key and variant. */
export interface Repetitions {
  /**
   * Notes that the platform takes for an earlier note: all but the first of an exact group, and a note without `created_at`
   * after a note with the same content and any `created_at`. Undefined when there is none.
   */
  laterNotes(): (RowTally & { readonly accounts: number }) | undefined;
  /** Records in file order after the record `after`, at most `limit`. */
  page(after: number, limit: number): readonly Repetition[];
}

/**
 * Questions about all records of a run whose identifiers repeat or are alike, as repeated-identities.ts finds out. The journal answers
 * them with queries, so memory stays bounded.
 */
export interface WholeFile {
  repetitions(): Repetitions;
  /** Ids of one account with the same likeness. */
  collidingIds(): RowTally | undefined;
  /** Account numbers with the same likeness. */
  collidingAccounts(): RowTally | undefined;
  /** With the sum of the amounts of their records, and of the first record of each id; null without amounts. */
  idsOnSeveralAccounts(): (RowTally & Readonly<Record<'sum' | 'sumOfFirst', string | null>>) | undefined;
  /** Records of several accounts that name the same document in the field. */
  sharedTexts(field: string): RowTally | undefined;
}
