import * as z from 'zod/mini';
import { described, type Immutable } from '../../../core/schema.ts';
import { LEFT_OUT_KINDS, type RunReport } from './report.ts';

/** The values of a field over all valid records; of the amount, over those of one type. */
export interface Figure {
  readonly field: string;
  readonly type: string | null;
  readonly kind: 'amount' | 'date' | 'id' | 'choice' | 'text';
  readonly count: number;
  /** Of amounts and dates. */
  readonly smallest: string | null;
  readonly largest: string | null;
  /** Of amounts, exact. */
  readonly sum: string | null;
  /** How many values have a property in common, such as `{"months":{"2026-01":12}}`. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The valid records in figures. */
export type Picture = Readonly<{ records: number; accounts: number; figures: readonly Figure[] }>;

/** Something that is not sent, as documents have it: a column that feeds no field, rows that are left out, or a field that no record has. */
export const behindDocument = z.strictObject({
  what: z.enum(['column', ...LEFT_OUT_KINDS, 'field']),
  name: described(z.string(), 'The header, the place in the mapping that leaves the rows out, or the field.'),
  count: described(z.nullable(z.int()), 'Filled cells, or rows; null for a key of the objects of a list.'),
  sum: described(z.nullable(z.string()), 'The exact sum of amounts.'),
  holds: described(
    z.nullable(z.enum(['dates', 'currencies', 'zones', 'amounts', 'states', 'texts'])),
    'The first of these that all cells of a column are.',
  ),
  different: described(z.nullable(z.int()), 'How many different values; null for many.'),
  examples: described(z.array(z.string()), 'Two of the values, with `--show-values`.'),
  acknowledged: described(z.boolean(), 'Whether `ignore` of the mapping says that it is not to be sent.'),
});
export type Behind = Immutable<z.infer<typeof behindDocument>>;

/** Counts valid rows and rows that are left out, in place of a journal that keeps them. */
export type RowCounter = { addedTo(report: RunReport): RunReport };
