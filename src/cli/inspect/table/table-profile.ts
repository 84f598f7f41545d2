import { sentenceOf } from '../../../core/error-codes/sentence.ts';
import type { ReadItem, SourceRow } from '../../csv/source-row.ts';
import { ColumnCounter } from '../column/column-profile.ts';
import { Occurrences } from '../column/occurrences.ts';
import type { LayoutFinding } from '../layout/layout-finding.ts';
import { OtherLines, trailerFinding } from './total-rows.ts';

/** Further columns are not looked at. */
const MAX_COLUMNS = 2_000;
/** Different values that are remembered over all columns, and in one. */
const MAX_VALUES = 400_000;
const MAX_VALUES_OF_COLUMN = 20_000;

/** Looks at the rows of a file behind its header. */
export class TableCounter {
  /** Why the rows cannot be read to the end of the file. */
  private stop: { readonly line: number; readonly reason: string } | null = null;
  private readonly columns: readonly ColumnCounter[];
  private readonly layout: LayoutFinding;
  private readonly header: string;
  /** Cells that a whole row has. */
  private readonly width: number;
  private rows = 0;
  private readonly found = {
    ragged: new Occurrences(),
    brokenLines: new Occurrences(),
    repeatedHeaders: new Occurrences(),
    emptyRows: new Occurrences(),
  };
  private readonly otherLines: OtherLines;
  /** The last row so far, which may be no data. */
  private last: SourceRow | undefined;

  /** @param above the lines above the header */
  constructor(layout: LayoutFinding, above: readonly string[]) {
    const { delimiter, width, header, isJsonLines, hasPlaces } = layout;
    this.layout = layout;
    this.header = header.names.join('\n');
    this.width = delimiter === null && !isJsonLines ? 1 : width;
    const count = Math.min(this.width, MAX_COLUMNS);
    const limit = Math.min(MAX_VALUES_OF_COLUMN, Math.ceil(MAX_VALUES / Math.max(count, 1)));
    const nameOf = (at: number): string =>
      header.looksLikeHeader ? (header.names[at] ?? '') : hasPlaces ? '' : `COLUMN_${at + 1}`;
    this.columns = Array.from({ length: count }, (_, at) => new ColumnCounter(nameOf(at), limit));
    this.otherLines = new OtherLines(above, delimiter ?? ',');
  }

  accept(items: readonly ReadItem[]): void {
    for (const item of items) {
      if (item.kind === 'row') this.acceptRow(withoutFormFeed(item.row));
      else if (item.kind === 'broken') this.found.brokenLines.add(item.row.firstLine);
      else if (item.kind === 'unreadable')
        this.stop = { line: item.line, reason: sentenceOf(item.problem.code, item.problem.facts) };
    }
  }

  /** @param showValues whether columns may show values */
  result(showValues: boolean) {
    const { columns, layout, rows, width } = this;
    const { words } = this.otherLines;
    const mayBeTrailer = this.last && !layout.isJsonLines;
    const trailer = (mayBeTrailer && trailerFinding(this.last!, { rows, width, columns, words })) || null;
    if (this.last && !trailer) this.countRow(this.last);
    return {
      layout,
      table: {
        ...this.found,
        rows: this.rows,
        columnsLeftOut: this.width - columns.length,
        otherLines: this.otherLines.result(columns.length),
        trailer,
        stop: this.stop,
      },
      columns: columns.map((column, at) => ({ column: at + 1, ...column.result(showValues) })),
    };
  }

  private acceptRow(row: SourceRow): void {
    const { header } = this.layout;
    if (header.looksLikeHeader && row.cells.join('\n') === this.header) {
      this.found.repeatedHeaders.add(row.firstLine);
      return;
    }
    if (header.line > 1 && this.otherLines.isPage(row)) return;
    if (this.last) this.countRow(this.last);
    this.last = row;
  }

  private countRow(row: SourceRow): void {
    const { cells, firstLine } = row;
    const isWhole = cells.length === this.width;
    if (isWhole && this.otherLines.isTotal(row, this.columns)) return;
    this.rows++;
    if (!isWhole) this.found.ragged.add(firstLine);
    else if (cells.every((cell) => cell === '')) this.found.emptyRows.add(firstLine);
    if (isWhole) this.columns.forEach((column, at) => column.accept(cells[at]!, firstLine));
  }
}

/** The form feed before the first line of a page is no part of its first cell. */
function withoutFormFeed(row: SourceRow): SourceRow {
  const [first = '', ...others] = row.cells;
  return first.startsWith('\f') ? { ...row, cells: [first.replace(/^\f+/, ''), ...others] } : row;
}
