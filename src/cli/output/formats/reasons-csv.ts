import type { LocatedProblem } from '../../push/ports/report.ts';
import { csvCell, csvLine } from './csv.ts';

/** The columns that tie a row of the rejects file to the row of a file that it was copied from. */
export const TIE_COLUMNS = ['rejects_line', 'row_line', 'file_sha256'] as const;

const [REJECTS_LINE, ...ROW] = TIE_COLUMNS;
const COLUMNS = [REJECTS_LINE, 'file', 'line', 'column', 'header', 'code', 'detail', ...ROW] as const;

export const reasonsHeader = (): string => csvLine(COLUMNS);

/** A row of the rejects file, and the row that it was copied from. */
export type CopiedRow = Readonly<{ rejectsLine: number; file: string; fileSha256: string; line: number }>;

/** Why a row is in the rejects file: one line of CSV for each problem, and one without a code when the problems are in another file. */
export function reasonRows(row: CopiedRow, problems: readonly LocatedProblem[]): string {
  const { rejectsLine, fileSha256 } = row;
  const elsewhere = { file: row.file, line: row.line, column: null, header: null, code: '', detail: '' };
  return (problems.length === 0 ? [elsewhere] : problems)
    .map(({ file, line, column, header, code, detail }) =>
      csvLine([
        rejectsLine,
        csvCell(file),
        line,
        column,
        csvCell(header),
        csvCell(code),
        csvCell(detail),
        row.line,
        fileSha256,
      ]),
    )
    .join('');
}
