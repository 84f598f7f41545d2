import { stringify } from 'csv-stringify/sync';
import type { AccountKey } from '../../core/contract/account.ts';
import type { RecordOutcome } from '../push/ports/report.ts';
import { escapeControl } from './text.ts';

export const UNRESOLVED_COLUMNS = [
  'import_supplier',
  'account',
  'id',
  'type',
  'date',
  'amount',
  'file',
  'line',
  'outcome',
] as const;

/** A row that only a person can settle. */
export interface UnresolvedLine extends AccountKey {
  readonly id: string | null;
  readonly type: string | null;
  readonly date: string | null;
  readonly amount: string | null;
  readonly file: string;
  readonly line: number;
  readonly outcome: RecordOutcome;
}

export const unresolvedHeader = (): string => stringify([[...UNRESOLVED_COLUMNS]]);

/** One line of CSV. Formulas are escaped, because a spreadsheet must not run a cell of a supplier. An amount is a number. */
export function unresolvedRow(row: UnresolvedLine): string {
  return stringify([
    [
      listedCell(row.import_supplier),
      listedCell(row.external_account_number),
      listedCell(row.id),
      listedCell(row.type),
      row.date ?? '',
      row.amount ?? '',
      listedCell(row.file),
      row.line,
      row.outcome,
    ],
  ]);
}

export function listedCell(text: string | null): string {
  const shown = escapeControl(text ?? '');
  return /^[=+\-@\t\r]/.test(shown) ? `'${shown}` : shown;
}
