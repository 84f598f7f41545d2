import type { CsvRow } from './csv-rows.ts';
import { exactJson, type Exact } from './exact-json.ts';

/** The kind of record that a ledger names for each resource. */
export const KIND_OF = {
  notes: 'note',
  transactions: 'transaction',
  statements: 'statement',
  'payment-instructions': 'payment_instruction',
} as const;
export type OracleResource = keyof typeof KIND_OF;
export type Kind = (typeof KIND_OF)[OracleResource];

/** The fields of one record (interface.md 2.3 to 2.6). */
export type OracleRecord = Readonly<Record<string, Exact>>;

/** A record and its account. */
export interface AccountRecord {
  readonly account: string;
  readonly record: OracleRecord;
}

const NUMBERS = new Set(['amount', 'gross_amount', 'number_of_units', 'net_amount', 'price_per_unit']);
const FLAGS = new Set(['is_pinned']);
/** Lists that one cell may contain as JSON. */
const LISTS = new Set(['document_paths', 'line_items', 'tax_items', 'units']);

/** The record of a row. A numbered column is a part of a list. */
export function recordOfRow(row: CsvRow): AccountRecord {
  const { import_supplier, external_account_number, ...fields } = row;
  if (import_supplier === undefined || external_account_number === undefined)
    throw new Error('a row without an account');
  const record: Record<string, Exact> = {};
  for (const [column, cell] of Object.entries(fields)) put(record, column.split('.'), cell);
  return { account: external_account_number, record };
}

type Parts = Record<string, Exact>;

function put(into: Parts, [name, index, ...rest]: readonly string[], cell: string): void {
  if (index === undefined) {
    into[name!] = valueOf(name!, cell);
    return;
  }
  const list = (into[name!] ??= []) as unknown as Parts[];
  put((list[Number(index)] ??= {}), rest, cell);
}

function valueOf(field: string, cell: string): Exact {
  if (LISTS.has(field)) return exactJson(cell);
  if (FLAGS.has(field)) return cell === 'true';
  return NUMBERS.has(field) ? { digits: cell } : cell;
}
