import { stringify } from 'csv-stringify/sync';
import type { LocatedProblem } from '../push/ports/report.ts';
import { escapeControl } from './text.ts';

const COLUMNS = ['rejects_line', 'file', 'line', 'column', 'header', 'code', 'detail'] as const;

/** The header of the reasons file. */
export function reasonsHeader(): string {
  return rowText([...COLUMNS]);
}

/**
 * Why a row is in the rejects file: one line of CSV for each problem. Formulas are escaped, because a spreadsheet must
 * not run a header or a word of the platform.
 */
export function reasonRows(rejectsLine: number, problems: readonly LocatedProblem[]): string {
  return problems
    .map(({ file, line, column, header, code, detail }) =>
      rowText([
        rejectsLine,
        escapeControl(file),
        line,
        column,
        escapeControl(header ?? ''),
        code,
        escapeControl(detail),
      ]),
    )
    .join('');
}

function rowText(cells: readonly (string | number | null)[]): string {
  return stringify([[...cells]], { escape_formulas: true });
}
