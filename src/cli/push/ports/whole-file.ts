import type { Note } from '../../../core/contract/note.ts';

/** Where a record begins. */
export interface RecordStart {
  /** Sources count up from 1. */
  readonly source: number;
  readonly line: number;
}

/** How many there are of something, and the first record that shows it. */
export interface Tally {
  readonly count: number;
  readonly first: RecordStart;
}

/** A record that another one repeats, or that repeats another one. */
export interface Repetition extends RecordStart {
  readonly seq: number;
  /** Whether all records of its group have the same content. */
  readonly exact: boolean;
  /** The first record of the group with other content; of an exact group the first, and for that one the second. */
  readonly other: RecordStart;
}

/** The groups of records with the same account, key and variant. */
export interface Repetitions {
  /** Leaves out all but the first record of each exact group. Undefined when there is none. */
  leaveOutExact(): Tally | undefined;
  /**
   * Notes that the platform takes for an earlier one: those after the first of their exact group, and those without an
   * instant after one with the same content and any. Undefined when there is none.
   */
  laterNotes(): (Tally & { readonly accounts: number }) | undefined;
  /** Records in file order after the record `after`, at most `limit`. */
  page(after: number, limit: number): readonly Repetition[];
}

/** Account numbers that are digits alone, by how many digits they have. */
export interface NumberLengths {
  readonly digits: number;
  readonly count: number;
  /** How many of them begin with a zero. */
  readonly zeroLed: number;
}

/** Statement amounts that are not zero. */
export interface GrossAmounts extends Tally {
  /** Largest of them without its sign, in minor units. */
  readonly largest: number;
  /** How many of them are multiples of 100. */
  readonly hundreds: number;
}

/** Transactions of one type whose amounts are not zero. */
export interface SignedAmounts extends Tally {
  readonly type: string;
  /** How many of them are negative. */
  readonly negative: number;
}

/** The date-times of the interface: only notes have some. */
export const TIMES_OF_NOTE = ['created_at', 'unpin_at'] as const satisfies readonly (keyof Note)[];
export type TimeOfNote = (typeof TIMES_OF_NOTE)[number];

/** What is asked of all records together, once they are in the run file. It answers by queries, in bounded memory. */
export interface WholeFile {
  /** Whether no id occurs twice in the run, however it is written: then nothing else has to be asked about ids. */
  idsAreApart(): boolean;
  repetitions(): Repetitions;
  /** Ids of one account that only case or Unicode form tell apart. */
  collidingIds(): Tally | undefined;
  /** Account numbers that only case or Unicode form tell apart. */
  collidingAccounts(): Tally | undefined;
  idsOnSeveralAccounts(): Tally | undefined;
  /** In the order of their digits. */
  accountNumberLengths(): readonly NumberLengths[];
  /** Accounts with fewer digits than so many. */
  accountNumbersBelow(digits: number): Tally | undefined;
  /** Records whose date-time in that field has a part of a second. */
  splitSeconds(field: TimeOfNote): Tally | undefined;
  grossAmounts(): GrossAmounts | undefined;
  /** By type, in their order. */
  signedAmounts(): readonly SignedAmounts[];
}
