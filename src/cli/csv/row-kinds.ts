import { failure } from '../../core/problem.ts';
import { Pattern } from '../../core/values/pattern.ts';
import { fixedCells } from './fixed-cells.ts';
import { END_OF_REJECTS, type SourceFormat, type TrailerMark } from './source-format.ts';
import { isOneCell, repeatsHeader, type ReadItem, type SourceRow } from './source-row.ts';

/** Most columns of a file. More mean that the file is no CSV or has another delimiter. */
export const MAX_COLUMNS = 4096;

/** Distinguishes the header, rows of data and control records. */
export class RowKinds {
  /** Whether the names of the columns are known. Then every further record is data. */
  hasHeader = false;
  private readonly format: SourceFormat;
  private readonly marks: readonly ((cell: string) => boolean)[];
  private readonly pageLines: readonly Pattern[];
  /** Whether the format describes the pages of a report. */
  private readonly isPaged: boolean;
  private names: readonly string[] = [];

  constructor(format: SourceFormat) {
    this.format = format;
    this.marks = format.totals.map(({ mark }) => markTest(mark));
    this.pageLines = format.pageLines.map((pattern) => new Pattern(pattern));
    this.isPaged = format.skipsRepeatedHeaders || this.pageLines.length > 0;
  }

  /** The header of a file whose format names the columns. */
  begin(): readonly ReadItem[] {
    const { fixed, header, skipLines } = this.format;
    const names = fixed ? fixed.flatMap(({ name }) => name ?? []) : header;
    if (names === 'first_row') return [];
    this.hasHeader = true;
    return [{ kind: 'header', names, line: skipLines + 1 }];
  }

  accept(given: SourceRow): ReadItem {
    if (!this.hasHeader) return this.acceptHeader(given);
    const row = this.isPaged ? { ...given, cells: withoutFormFeed(given.cells) } : given;
    return (
      this.pagePart(row) ??
      this.totalIn(row) ?? { kind: 'row', row: cutRow(row, this.format.fixed, this.format) }
    );
  }

  /** Lines and headers that a report has on every page. */
  private pagePart(row: SourceRow): ReadItem | undefined {
    if (!this.isPaged) return undefined;
    const { skipsRepeatedHeaders, delimiter, fixed } = this.format;
    const line = fixed ? row.cells[0]! : row.cells.join(delimiter);
    if (line === '' || this.pageLines.some((pattern) => pattern.test(line)))
      return { kind: 'page_line', row: cutRow(row, fixed, this.format) };
    const isHeader = row.cells.length === this.names.length && repeatsHeader(row, this.names);
    return skipsRepeatedHeaders && isHeader ? { kind: 'repeated_header', row } : undefined;
  }

  private acceptHeader(row: SourceRow): ReadItem {
    const columns = row.cells.length;
    if (columns > MAX_COLUMNS) {
      const problem = failure('too_many_columns', [], { columns, limit: MAX_COLUMNS });
      return { kind: 'unreadable', line: row.firstLine, problem };
    }
    this.hasHeader = true;
    this.names = withoutFormFeed(row.cells);
    const isOne = isOneCell(row.cells, this.format.delimiter);
    return { kind: 'header', names: this.names, line: row.firstLine, ...(isOne && { isOneCell: true }) };
  }

  private totalIn(row: SourceRow): ReadItem | undefined {
    const { totals, fixed, delimiter } = this.format;
    if (totals.length === 0) return undefined;
    // Spreadsheets fill the line up with empty cells.
    const text = row.cells.filter((cell) => cell !== '').join(delimiter);
    if (text === END_OF_REJECTS) return { kind: 'trailer', row, mark: null };
    for (const [mark, total] of totals.entries()) {
      const cut = cutRow(row, fixed && (total.fixed ?? fixed), this.format);
      const cell = cut.cells[total.cell - 1];
      if (cell !== undefined && this.marks[mark]!(cell)) return { kind: 'trailer', row: cut, mark };
    }
    return undefined;
  }
}

/** The form feed before the first line of a page is no part of its first cell. */
function withoutFormFeed(cells: readonly string[]): readonly string[] {
  const [first, ...others] = cells;
  return first?.startsWith('\f') ? [first.replace(/^\f+/, ''), ...others] : cells;
}

function markTest(mark: TrailerMark['mark']): (cell: string) => boolean {
  if ('equals' in mark) return (cell) => cell === mark.equals;
  const pattern = new Pattern(mark.matches);
  return (cell) => pattern.test(cell);
}

/** Cuts a line of fixed columns. A last line without a line break looks cut off, even where other lines may have lost spaces at their ends. */
function cutRow(row: SourceRow, columns: SourceFormat['fixed'], { rightTrimmed }: SourceFormat): SourceRow {
  if (columns === null) return row;
  const { cells, filledGaps } = fixedCells(row.cells[0]!, columns, rightTrimmed && row.endsAtEof !== true);
  return { ...row, cells, ...(filledGaps.length > 0 && { filledGaps }) };
}
