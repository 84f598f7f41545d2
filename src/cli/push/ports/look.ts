import type { UnusedKind } from '../../mapping/mapping-plan.ts';
import type { LeftOut } from './report.ts';

/** The values of one field over all valid records. No text of a cell is in it, except values that the interface shows. */
export type Figure = Readonly<{ field: string; count: number }> &
  Readonly<
    | {
        kind: 'dates';
        first: string;
        last: string;
        /** By `2026-01`. */
        months: Readonly<Record<string, number>>;
        /** By the day of the month, from 1. */
        days: readonly number[];
        /** By the hour, from 0; null without times. */
        hours: readonly number[] | null;
      }
    | {
        kind: 'amounts';
        type: string | null;
        unit: 'major' | 'minor';
        sum: string;
        smallest: string;
        largest: string;
        negative: number;
        /** By the number of digits before the point, from 0. */
        digits: readonly number[];
      }
    | {
        kind: 'ids';
        /** The most frequent ones: each digit as 9, each letter as A or a. */
        shapes: readonly Readonly<{ shape: string; count: number }>[];
        /** Identifiers of other shapes. */
        others: number;
      }
    | { kind: 'choices'; values: Readonly<Record<string, number>>; others: number }
  >;

/** What will be sent, in figures. */
export interface Picture {
  readonly records: number;
  readonly accounts: number;
  readonly figures: readonly Figure[];
}

/** What is in the files and will not be sent, and the fields that nothing is sent for. */
export interface StaysBehind {
  readonly columns: readonly Readonly<{
    /** Name of a joined file; null for the files of the records. */
    file: string | null;
    header: string;
    kind: UnusedKind;
    filled: number;
    /** How many different values; null for many. */
    different: number | null;
    sum: string | null;
    /** Two of the values, where they may be shown. */
    examples: readonly string[];
    acknowledged: boolean;
  }>[];
  readonly rows: readonly Readonly<LeftOut & { sum: string | null; acknowledged: boolean }>[];
  /** Fields of the interface that no record has. */
  readonly fields: readonly string[];
}
