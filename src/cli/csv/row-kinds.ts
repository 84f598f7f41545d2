import { failure } from '../../core/problem.ts';
import { Pattern } from '../../core/values/pattern.ts';
import { fixedCells } from './fixed-cells.ts';
import type { SourceFormat, TrailerMark } from './source-format.ts';
import { isOneCell, type ReadItem, type SourceRow } from './source-row.ts';

/** Most columns of a file. More mean that the file is no CSV or has another delimiter. */
export const MAX_COLUMNS = 4096;

/** Distinguishes the header, rows of data and control records. */
export class RowKinds {
  /** Whether the names of the columns are known. Then every further record is data. */
  hasHeader = false;
  private readonly format: SourceFormat;
  private readonly marks: readonly ((cell: string) => boolean)[];
  private readonly pageLines: readonly Pattern[];
  private names: readonly string[] = [];

  constructor(format: SourceFormat) {
    this.format = format;
    this.marks = format.totals.map(({ mark }) => markTest(mark));
    this.pageLines = format.pageLines.map((pattern) => new Pattern(pattern));
  }

  /** The header of a file whose format names the columns. */
  begin(): readonly ReadItem[] {
    const { fixed, header, skipLines } = this.format;
    const names = fixed ? fixed.flatMap(({ name }) => name ?? []) : header;
    if (names === 'first_row') return [];
    this.hasHeader = true;
    return [{ kind: 'header', names, line: skipLines + 1 }];
  }

  accept(row: SourceRow): ReadItem {
    if (!this.hasHeader) return this.acceptHeader(row);
    const found = this.pagePart(row);
    if (found) return found;
    const inPage = this.isPaged ? { ...row, cells: withoutFormFeed(row.cells) } : row;
    return this.totalIn(inPage) ?? { kind: 'row', row: cutRow(inPage, this.format.fixed, this.format) };
  }

  /** Whether the format describes the pages of a report. */
  private get isPaged(): boolean {
    return this.format.skipsRepeatedHeaders || this.pageLines.length > 0;
  }

  /** Lines and headers that a report has on every page. A form feed may be before them. */
  private pagePart(row: SourceRow): ReadItem | undefined {
    const { skipsRepeatedHeaders, delimiter, fixed } = this.format;
    if (!this.isPaged) return undefined;
    const cells = withoutFormFeed(row.cells);
    const line = fixed ? cells[0]! : cells.join(delimiter);
    if (line === '' || this.pageLines.some((pattern) => pattern.test(line)))
      return { kind: 'page_line', row: cutRow({ ...row, cells }, fixed, this.format) };
    const isHeader = cells.length === this.names.length && cells.every((cell, at) => cell === this.names[at]);
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
    const { totals, fixed } = this.format;
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
