import { ColumnCensus, type ColumnEvidence } from './column-census.ts';
import type { LayoutEvidence } from './layout-evidence.ts';
import { PlaceCount, type Places } from './places.ts';
import { RowCutter, type LooseRow } from './row-cutter.ts';
import type { LineEnd, TextLine } from './text-lines.ts';
import { SubtotalCensus, type Subtotals } from './subtotal-census.ts';
import { trailerEvidence, type TrailerEvidence } from './trailer-evidence.ts';

/** More columns are not looked at one by one. */
const MAX_COLUMNS = 2_000;
/** Different values that are remembered over all columns, and in one. */
const MAX_VALUES = 400_000;
const MAX_VALUES_OF_COLUMN = 20_000;

/** What the rows of a file have shown. */
export interface TableEvidence {
  /** Rows of data: without header, trailer, blank lines and repeated headers. */
  readonly rows: number;
  readonly columns: readonly ColumnEvidence[];
  /** Columns beyond those that were looked at. */
  readonly columnsLeftOut: number;
  /** Outside quotes, those before the header among them. */
  readonly blankLines: Places;
  readonly ragged: Places;
  readonly repeatedHeaders: Places;
  /** Rows of delimiters and nothing else. */
  readonly emptyRows: Places;
  /** Rows of totals between the rows; they are counted as rows. */
  readonly subtotals: readonly Subtotals[];
  readonly trailer: TrailerEvidence | null;
  readonly lineEnds: Readonly<Record<'lf' | 'crlf' | 'cr', number>>;
  readonly lineEndsInQuotes: Places;
  readonly quotedCells: number;
  readonly bareQuotes: Places;
  readonly textAfterQuote: Places;
  readonly unclosedQuotes: Places;
}

/** Takes the lines of a file from its header on. */
export class TableCensus {
  readonly columns: readonly ColumnCensus[];
  private readonly cutter: RowCutter;
  private readonly layout: LayoutEvidence;
  private readonly header: string;
  private isHeaderSeen: boolean;
  private rows = 0;
  private readonly blankLines = new PlaceCount();
  private readonly ragged = new PlaceCount();
  private readonly repeatedHeaders = new PlaceCount();
  private readonly emptyRows = new PlaceCount();
  private readonly subtotals = new SubtotalCensus();
  private readonly lineEnds = { lf: 0, crlf: 0, cr: 0 };
  /** The last row, which may be no data. */
  private held: LooseRow | undefined;
  private lastLine = 0;

  constructor(layout: LayoutEvidence) {
    const { delimiter, quote, escape, width, header } = layout;
    // Without a delimiter the line is one cell; no line holds its own end.
    this.cutter = new RowCutter({ delimiter: delimiter ?? '\n', quote, escape });
    this.layout = layout;
    this.header = header.names.join('\n');
    this.isHeaderSeen = !header.looksLikeHeader;
    const count = Math.min(delimiter === null ? 1 : width, MAX_COLUMNS);
    const limit = Math.min(MAX_VALUES_OF_COLUMN, Math.ceil(MAX_VALUES / Math.max(count, 1)));
    this.columns = Array.from({ length: count }, () => new ColumnCensus(limit));
  }

  accept(line: TextLine): void {
    this.lastLine = line.number;
    if (line.number < this.layout.header.line) {
      if (line.text === '') this.blankLines.add(line.number);
      return;
    }
    const row = this.cutter.accept(line);
    if (row) {
      this.countEnd(line.end);
      this.take(row);
    }
  }

  result(): TableEvidence {
    const open = this.cutter.end(this.lastLine);
    if (open) this.take(open);
    const trailer = this.held && trailerEvidence(this.held, this.totals());
    if (this.held && !trailer) this.see(this.held);
    const { cutter } = this;
    return {
      rows: this.rows,
      columns: this.columns.map((column) => column.result()),
      columnsLeftOut: this.layout.delimiter === null ? 0 : Math.max(0, this.layout.width - MAX_COLUMNS),
      blankLines: this.blankLines.result(),
      ragged: this.ragged.result(),
      repeatedHeaders: this.repeatedHeaders.result(),
      emptyRows: this.emptyRows.result(),
      subtotals: this.subtotals.result(),
      trailer: trailer ?? null,
      lineEnds: this.lineEnds,
      lineEndsInQuotes: cutter.lineEndsInQuotes.result(),
      quotedCells: cutter.quotedCells,
      bareQuotes: cutter.bareQuotes.result(),
      textAfterQuote: cutter.textAfterQuote.result(),
      unclosedQuotes: cutter.unclosed.result(),
    };
  }

  private take(row: LooseRow): void {
    if (row.isBlank) {
      this.blankLines.add(row.firstLine);
      return;
    }
    if (!this.isHeaderSeen) {
      this.isHeaderSeen = true;
      return;
    }
    if (this.layout.header.looksLikeHeader && row.cells.join('\n') === this.header) {
      this.repeatedHeaders.add(row.firstLine);
      return;
    }
    if (this.held) this.see(this.held);
    this.held = row;
  }

  private see(row: LooseRow): void {
    const { cells, firstLine } = row;
    this.rows++;
    if (this.layout.delimiter !== null && cells.length !== this.layout.width) {
      this.ragged.add(firstLine);
      return;
    }
    if (cells.every((cell) => cell === '')) this.emptyRows.add(firstLine);
    this.subtotals.accept(row);
    for (let at = 0; at < this.columns.length; at++) this.columns[at]!.accept(cells[at]!, firstLine);
  }

  private totals() {
    const filled = this.columns.map((column) => column.filled);
    return {
      rows: this.rows,
      width: this.layout.delimiter === null ? 1 : this.layout.width,
      filled,
      total: (column: number, decimalMark: '.' | ',') =>
        this.columns[column]!.numbers.count === filled[column]
          ? this.columns[column]!.numbers.total(decimalMark)
          : undefined,
    };
  }

  private countEnd(end: LineEnd): void {
    if (end === '\n') this.lineEnds.lf++;
    else if (end === '\r\n') this.lineEnds.crlf++;
    else if (end === '\r') this.lineEnds.cr++;
  }
}
