import { isEqual, thereOf, type AccountTotal } from '../comparison/account-tally.ts';
import type { ComparedWith } from './verification-result.ts';
import { csvCell, csvLine } from '../output/formats/csv.ts';

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
export const accountsHeader = (): string => csvLine(COLUMNS);

/** One line of CSV for each type of an account. */
export function accountRows(
  side: ComparedWith,
  { import_supplier, external_account_number, types }: AccountTotal,
): string {
  return types
    .map((total) =>
      csvLine([
        side,
        csvCell(import_supplier),
        csvCell(external_account_number),
        csvCell(total.type),
        total.source.count,
        thereOf(total).count,
        total.source.sum ?? '',
        thereOf(total).sum ?? '',
        total.source.sha256,
        total.found.sha256,
        isEqual(total) ? 'yes' : 'no',
      ]),
    )
    .join('');
}
