import { sentenceOf } from '../../../core/error-codes/sentence.ts';
import type { ReadItem, SourceRow } from '../../csv/source-row.ts';
import { ColumnCounter } from '../column/column-profile.ts';
import { OccurrenceCount } from '../column/occurrences.ts';
import type { ColumnProfile } from '../column/column-profile.ts';
import type { LayoutFinding } from '../layout/layout-finding.ts';
import { PageLineCounter, SubtotalCounter, trailerFinding } from './total-rows.ts';

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
    ragged: new OccurrenceCount(),
    brokenLines: new OccurrenceCount(),
    repeatedHeaders: new OccurrenceCount(),
    emptyRows: new OccurrenceCount(),
  };
  private readonly subtotals = new SubtotalCounter();
  private readonly pageLines: PageLineCounter;
  /** The last row so far, which may be no data. */
  private last: SourceRow | undefined;

  /** @param above the lines above the header */
  constructor(layout: LayoutFinding, above: readonly string[]) {
    const { delimiter, width, header, isJsonLines } = layout;
    this.layout = layout;
    this.header = header.names.join('\n');
    this.width = delimiter === null && !isJsonLines ? 1 : width;
    const count = Math.min(this.width, MAX_COLUMNS);
    const limit = Math.min(MAX_VALUES_OF_COLUMN, Math.ceil(MAX_VALUES / Math.max(count, 1)));
    this.columns = Array.from({ length: count }, () => new ColumnCounter(limit));
    this.pageLines = new PageLineCounter(above);
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
    const trailer =
      (this.last && !this.layout.isJsonLines && trailerFinding(this.last, this.totals())) || null;
    if (this.last && !trailer) this.countRow(this.last);
    const { header, delimiter, isJsonLines } = this.layout;
    const nameOf = (at: number): string =>
      delimiter === null && !isJsonLines ? header.names.join('') : (header.names[at] ?? '');
    return {
      layout: this.layout,
      table: {
        ...this.found,
        rows: this.rows,
        columnsLeftOut: this.width - this.columns.length,
        subtotals: this.subtotals.result(),
        pageLines: this.pageLines.result(),
        trailer,
        stop: this.stop,
      },
      columns: this.columns.map((column, at): ColumnProfile => ({
        column: at + 1,
        name: header.looksLikeHeader ? nameOf(at) : null,
        ...column.result(showValues),
      })),
    };
  }

  private acceptRow(row: SourceRow): void {
    const { header, delimiter } = this.layout;
    if (header.looksLikeHeader && row.cells.join('\n') === this.header) {
      this.found.repeatedHeaders.add(row.firstLine);
      return;
    }
    if (header.line > 1 && this.pageLines.accept(row, delimiter ?? '')) return;
    if (this.last) this.countRow(this.last);
    this.last = row;
  }

  private countRow(row: SourceRow): void {
    const { cells, firstLine } = row;
    const isWhole = cells.length === this.width;
    if (isWhole && this.subtotals.accept(row)) return;
    this.rows++;
    if (!isWhole) this.found.ragged.add(firstLine);
    else if (cells.every((cell) => cell === '')) this.found.emptyRows.add(firstLine);
    if (isWhole) this.columns.forEach((column, at) => column.accept(cells[at]!, firstLine));
  }

  private totals(): Parameters<typeof trailerFinding>[1] {
    return { rows: this.rows, width: this.width, columns: this.columns };
  }
}

/** The form feed before the first line of a page is no part of its first cell. */
function withoutFormFeed(row: SourceRow): SourceRow {
  const [first = '', ...others] = row.cells;
  return first.startsWith('\f') ? { ...row, cells: [first.replace(/^\f+/, ''), ...others] } : row;
}
