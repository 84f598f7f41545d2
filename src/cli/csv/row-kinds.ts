import { failure } from '../../core/problem.ts';
import { fixedCells, namesOf } from './fixed-cells.ts';
import type { SourceFormat, TrailerMark } from './source-format.ts';
import type { ReadItem, SourceRow } from './source-row.ts';

/** Most columns of a file. More mean that the file is no CSV or has another delimiter. */
export const MAX_COLUMNS = 4096;

/** Distinguishes the header, rows of data and control records. */
export class RowKinds {
  /** Whether the names of the columns are known. Then every further record is data. */
  hasHeader = false;
  private readonly format: SourceFormat;
  private readonly isMark: (cell: string) => boolean;

  constructor(format: SourceFormat) {
    this.format = format;
    this.isMark = format.trailer ? markTest(format.trailer.mark) : () => false;
  }

  /** The header of a file whose format names the columns. */
  begin(): readonly ReadItem[] {
    const { fixed, header, skipLines, preamble } = this.format;
    const names = fixed ? namesOf(fixed) : header;
    if (names === 'first_row') return [];
    this.hasHeader = true;
    const above = preamble !== null && 'like' in preamble ? preamble.like.length : skipLines;
    return [{ kind: 'header', names, line: above + 1 }];
  }

  accept(row: SourceRow): ReadItem {
    if (!this.hasHeader) return this.acceptHeader(row);
    const trailer = this.trailerIn(row);
    if (trailer) return { kind: 'trailer', row: trailer };
    const { fixed } = this.format;
    return { kind: 'row', row: fixed ? cutRow(row, fixed, this.format) : row };
  }

  private acceptHeader(row: SourceRow): ReadItem {
    const columns = row.cells.length;
    if (columns > MAX_COLUMNS) {
      const problem = failure('too_many_columns', [], { columns, limit: MAX_COLUMNS });
      return { kind: 'unreadable', line: row.firstLine, problem };
    }
    this.hasHeader = true;
    return { kind: 'header', names: row.cells, line: row.firstLine };
  }

  private trailerIn(row: SourceRow): SourceRow | undefined {
    const { trailer, fixed } = this.format;
    if (trailer === null) return undefined;
    const cut = fixed === null ? row : cutRow(row, trailer.fixed ?? fixed, this.format);
    const cell = cut.cells[trailer.cell - 1];
    return cell !== undefined && this.isMark(cell) ? cut : undefined;
  }
}

function markTest(mark: TrailerMark['mark']): (cell: string) => boolean {
  if ('equals' in mark) return (cell) => cell === mark.equals;
  if ('startsWith' in mark) return (cell) => cell.startsWith(mark.startsWith);
  const pattern = new RegExp(mark.matches, 'u');
  return (cell) => pattern.test(cell);
}

/** A last line without a line break looks cut off, even where other lines may have lost spaces at their ends. */
function cutRow(
  row: SourceRow,
  columns: NonNullable<SourceFormat['fixed']>,
  { rightTrimmed }: SourceFormat,
): SourceRow {
  return { ...row, cells: fixedCells(row.cells[0]!, columns, rightTrimmed && row.endsAtEof !== true) };
}
