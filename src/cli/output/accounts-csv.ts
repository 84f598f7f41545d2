import { stringify } from 'csv-stringify/sync';
import { isEqual, type AccountTotal } from '../verify/account-tally.ts';
import type { ComparedWith } from './verification-result.ts';
import { escapeControl } from './text.ts';

const COLUMNS = [
  'compared_with',
  'import_supplier',
  'external_account_number',
  'type',
  'rows',
  'there',
  'read',
  'there_sum',
  'sha256',
  'there_sha256',
  'equal',
] as const;

/** The header of the file of `verify --accounts`. */
export const accountsHeader = (): string => rowText([...COLUMNS]);

/** One line of CSV for each type of an account. Formulas are escaped, because a spreadsheet must not run a cell of a supplier. */
export function accountRows(
  side: ComparedWith,
  { import_supplier, external_account_number, types }: AccountTotal,
): string {
  return types
    .map((total) =>
      rowText([
        side,
        escapeControl(import_supplier),
        escapeControl(external_account_number),
        total.type ?? '',
        total.source.count,
        total.found.count,
        total.source.sum ?? '',
        total.found.sum ?? '',
        total.source.sha256,
        total.found.sha256,
        isEqual(total) ? 'yes' : 'no',
      ]),
    )
    .join('');
}

function rowText(cells: readonly (string | number)[]): string {
  return stringify([[...cells]], { escape_formulas: true });
}
