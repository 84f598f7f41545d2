import type { Occurrences } from './occurrences.ts';

/** A column: its name, and what its cells are. */
export interface ColumnProfile {
  /** One-based. */
  readonly column: number;
  /** Empty when the header has no name for it; null when the file seems to have no header. */
  readonly name: string | null;
  /** The first different values; null unless values may be shown. */
  readonly examples: readonly string[] | null;
  /** All different values, for drafting a mapping; never shown. Undefined when there are too many. */
  readonly values: readonly string[] | undefined;
  /** Cells that are not empty. */
  readonly filled: number;
  readonly empty: number;
  readonly distinct: { readonly count: number; readonly isExact: boolean };
  /** Values that occur more than once, as far as they are remembered. */
  readonly repeats: Occurrences;
  /** Rows whose value is that of the row before: several rows of one record, or an export written twice. */
  readonly repeatsPrevious: Occurrences;
  readonly kinds: readonly { readonly kind: ValueKind; readonly count: number }[];
  /** In characters, of filled cells. */
  readonly lengths: { readonly shortest: number; readonly longest: number };
  readonly patterns: readonly { readonly pattern: string; readonly count: number }[];
  readonly nullTokens: readonly { readonly token: string; readonly count: number }[];
  readonly numbers: NumberProfile | null;
  readonly dates: DateProfile | null;
  /** Whole numbers that begin with a zero. */
  readonly leadingZeros: number;
  /** How many digits whole numbers have. */
  readonly digitCounts: readonly { readonly digits: number; readonly count: number }[];
  readonly spacesAround: Occurrences;
  readonly unusualSpaces: Occurrences;
  readonly invisibleCharacters: Occurrences;
  readonly lineBreaks: Occurrences;
  readonly damage: readonly ({ readonly kind: Damage } & Occurrences)[];
}

/** The kind of a value: the first in this order that fits. */
export const VALUE_KINDS = [
  'null_token',
  'damaged',
  'date',
  'datetime',
  'integer',
  'decimal',
  'json',
  'text',
] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

/** The damage that a spreadsheet has done to a value. */
export type Damage = 'exponent' | 'hashes' | 'error_value' | 'formula';

export interface NumberProfile {
  readonly count: number;
  readonly integers: number;
  /** Pairs of marks that read most of the numbers, best first; none when every number is whole and without marks. */
  readonly marks: readonly (NumberMarks & { readonly fits: number; readonly exceptions: Occurrences })[];
  /** Numbers that only one decimal mark can explain. The others do not decide it. */
  readonly deciding: number;
  /** Numbers such as 1.234, which differ with a decimal mark and with a thousands mark. */
  readonly ambiguous: Occurrences;
  readonly signs: readonly { readonly sign: Sign; readonly count: number }[];
  readonly suffixes: readonly { readonly suffix: string; readonly count: number }[];
  readonly currencies: readonly { readonly currency: string; readonly count: number }[];
}

/** Marks inside numbers, as a mapping file names them. */
export interface NumberMarks {
  readonly decimalMark: '.' | ',';
  readonly thousandsMark: '.' | ',' | 'space' | "'" | '’' | 'indian' | null;
}

/** Where a number has its sign; `suffix` is a text such as CR. */
export const SIGNS = ['none', 'leading', 'trailing', 'parentheses', 'plus', 'minus_sign', 'suffix'] as const;
export type Sign = (typeof SIGNS)[number];

export interface DateProfile {
  /** Values that at least one format reads. */
  readonly count: number;
  /** Formats that read most of the values, best first. Of formats that read the same values, only the strictest is here. */
  readonly formats: readonly DateFormatFit[];
  /** Pairs of formats of which each value has exactly one, when no format reads all values. */
  readonly pairs: readonly (readonly [DateFormatFit, DateFormatFit])[];
  /** Values that are a date with the day first or with the month first, but not with both. */
  readonly decidingOrder: number;
  /** The names of the twelve months in the language of the file; null where they are English, short, or none. */
  readonly months: readonly string[] | null;
  /** Values that are a day as CYYMMDD, the century counted from 1900, as in 1251231 for 2025-12-31. */
  readonly centuryDays: number;
  /** Values that are a time of day, by their format. */
  readonly times: readonly { readonly format: string; readonly count: number }[];
}

/** A date format, and which values of a column it reads. */
export interface DateFormatFit {
  /** As in a mapping file. */
  readonly format: string;
  readonly kind: 'date' | 'datetime';
  /** Whether day or month comes first; null when the year does, or the month has a name. */
  readonly order: 'day_first' | 'month_first' | null;
  /** Two-digit years need a century. */
  readonly hasShortYear: boolean;
  /** Date-times without an offset need a zone. */
  readonly hasOffset: boolean;
  readonly fits: number;
  readonly exceptions: Occurrences;
}
