import { failure, warning } from '../../core/problem.ts';
import type { ReadItem, SourceRow } from './source-row.ts';

/** A spreadsheet decides for so many lines together how many empty cells at their ends it leaves out. */
const BLOCK = 16;

/** A number that its decimal comma has cut in two. */
const CUT_NUMBER = /(?:^|,)[-+]?\d[\d.]*,\d\d?(?:,|$)/;

/**
 * Gives rows with empty ends as many cells as the header has: where every row, or only the header, ends with a delimiter, and
 * where whole blocks of rows are shorter. A single row with another number of cells stays as it is, because it may have lost a
 * delimiter in the middle, or have one in a text without quotes.
 */
export class RowEnds {
  private readonly delimiter: string;
  private readonly give: (item: ReadItem) => void;
  private names: readonly string[] = [];
  /** How many cells every row has more than the header. They are empty. Negative: the names that the rows lack are empty. */
  private surplus = 0;
  /** Shorter rows that may be a block. */
  private block: SourceRow[] = [];
  private rows = 0;
  /** Whether no shorter row was refused so far. */
  private mayFit = true;
  private fitted = 0;
  private firstLine = 0;

  /** `give` takes each item once it is known. */
  constructor(delimiter: string, give: (item: ReadItem) => void) {
    this.delimiter = delimiter;
    this.give = give;
  }

  accept(item: ReadItem): void {
    if (item.kind === 'header') this.names = item.names;
    if (item.kind === 'row' && this.takes(item.row)) return;
    this.endBlock(item.kind === 'trailer');
    const columns = this.names.length + this.surplus;
    const lacksLast = item.kind === 'row' && this.surplus > 0 && item.row.cells.length < columns;
    this.give(lacksLast ? shorter(item.row, columns) : item);
  }

  /** Ends the file. */
  finish(): void {
    this.endBlock(true);
    if (this.fitted === 0) return;
    const problem = warning('row_ends_empty', [], { count: this.fitted });
    this.give({ kind: 'notice', line: this.firstLine, problem });
  }

  /** Whether a row was given with other ends, or waits in the block. */
  private takes(row: SourceRow): boolean {
    const { cells, firstLine } = row;
    const named = this.names.length;
    if (this.rows++ === 0) this.surplus = this.surplusOf(cells);
    if (this.surplus !== 0) {
      const fits = cells.length === named + this.surplus && cells.slice(named).every((cell) => cell === '');
      if (fits) this.fit(row);
      return fits;
    }
    if (cells.length >= named || row.endsAtEof) return false;
    if (this.block.some((other) => other.cells.length !== cells.length)) this.endBlock();
    // A block begins on a line that a spreadsheet begins one on, or after so many rows, and is behind one that is whole.
    const begins = this.rows >= BLOCK && (firstLine % BLOCK === 1 || this.rows % BLOCK === 1);
    this.mayFit &&= begins || this.block.length > 0;
    if (this.mayFit && this.block.push(row) === BLOCK) this.endBlock(true);
    return this.mayFit;
  }

  private surplusOf(cells: readonly string[]): number {
    const ends = [...this.names.slice(cells.length), ...cells.slice(this.names.length)];
    const isCut = this.delimiter === ',' && CUT_NUMBER.test(cells.join(','));
    return !isCut && ends.every((end) => end === '') ? cells.length - this.names.length : 0;
  }

  /** Gives the rows of the block, which is whole when nothing can be behind it. One row is none. */
  private endBlock(isWhole = false): void {
    const rows = this.block;
    if (rows.length === 0) return;
    this.block = [];
    this.mayFit = isWhole && rows.length > 1;
    for (const row of rows)
      if (this.mayFit) this.fit(row);
      else this.give({ kind: 'row', row });
  }

  private fit(row: SourceRow): void {
    if (this.fitted++ === 0) this.firstLine = row.firstLine;
    const cells = this.names.map((_, at) => row.cells[at] ?? '');
    this.give({ kind: 'row', row: { ...row, cells } });
  }
}

/** A row that lacks the delimiter with which all rows before it end. */
function shorter(row: SourceRow, columns: number): ReadItem {
  const facts = { cells: row.cells.length, columns, than: 'the rows above it', from_byte: row.byteStart };
  return { kind: 'broken', row, problem: failure('row_too_short', [], facts) };
}
