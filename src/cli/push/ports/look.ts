import type { LeftOutKind } from './report.ts';

/** The values of one field over all valid records; of amounts, over those of one type. */
export interface Figure {
  readonly field: string;
  readonly type: string | null;
  /** Texts are only counted. */
  readonly kind: 'amount' | 'date' | 'id' | 'choice' | 'text';
  readonly count: number;
  /** Of amounts and dates. */
  readonly smallest?: string;
  readonly largest?: string;
  /** Of amounts, exact. */
  readonly sum?: string;
  /** How many values have a property in common, such as `{"months":{"2026-01":12}}`. */
  readonly counts?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** What will be sent, in figures. */
export interface Picture {
  readonly records: number;
  readonly accounts: number;
  readonly figures: readonly Figure[];
}

/** What a column holds that feeds no field: the first of these that all of its cells are. */
export const HELD_KINDS = ['dates', 'currencies', 'zones', 'amounts', 'states', 'texts'] as const;

/** A column that feeds no field, rows that are left out, or a field that no record has. */
export interface Behind {
  readonly what: 'column' | LeftOutKind | 'field';
  /** The header, the place in the mapping that leaves the rows out, or the field. */
  readonly name: string;
  /** Filled cells, or rows; null for a key of the objects of a list. */
  readonly count: number | null;
  /** The exact sum of the amounts. */
  readonly sum: string | null;
  /** Of a column; and how many different values it has, null for many. */
  readonly holds: (typeof HELD_KINDS)[number] | null;
  readonly different: number | null;
  /** Two of the values, where values may be shown. */
  readonly examples: readonly string[];
  /** Whether `ignore` in the mapping says that it is not to be sent. */
  readonly acknowledged: boolean;
}
