import type { AccountKey } from '../../core/contract/account.ts';
import type { RecordOutcome } from '../push/ports/report.ts';
import { csvCell, csvLine } from '../output/formats/csv.ts';

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
  readonly outcome: RecordOutcome | 'invalid';
}

export const unresolvedHeader = (): string => csvLine(UNRESOLVED_COLUMNS);

/** The cells of a line of CSV. An amount is a number. */
export function unresolvedCells(row: UnresolvedLine): readonly (string | number | null)[] {
  return [
    csvCell(row.import_supplier),
    csvCell(row.external_account_number),
    csvCell(row.id),
    csvCell(row.type),
    row.date,
    row.amount,
    csvCell(row.file),
    row.line,
    row.outcome,
  ];
}
