import { stringify } from 'csv-stringify/sync';
import { escapeControl } from '../text/text.ts';

/** A text of a supplier or of the platform as a cell: on one line, and never a formula that a spreadsheet would run. */
export function csvCell(text: string | null): string {
  const shown = escapeControl(text ?? '');
  return /^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/.test(shown) ? `'${shown}` : shown;
}

export function csvLine(cells: readonly (string | number | null)[]): string {
  return stringify([[...cells]]);
}
