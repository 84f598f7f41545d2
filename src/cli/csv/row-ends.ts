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
  private names: readonly string[] = [];
  /** How many cells every row has more than the header. They are empty. Negative: the names that the rows lack are empty. */
  private surplus = 0;
  /** Shorter rows that may be a block. */
  private block: SourceRow[] = [];
  private rows = 0;
  /** The rows that are as long as the header; none once a shorter one was refused. */
  private whole = 0;
  private fitted = 0;
  private firstLine = 0;

  constructor(delimiter: string) {
    this.delimiter = delimiter;
  }

  /** Whether an item is a row as long as the header, with nothing to decide. Nearly all are. */
  passes(item: ReadItem): boolean {
    if (item.kind !== 'row' || item.row.cells.length !== this.names.length) return false;
    if (this.surplus > 0 || this.block.length > 0) return false;
    this.rows++;
    this.whole++;
    return true;
  }

  /** The items that are known with this one. */
  accept(item: ReadItem): readonly ReadItem[] {
    if (item.kind === 'header') this.names = item.names;
    if (item.kind !== 'row') return [...this.takeBlock(item.kind === 'trailer'), item];
    const { row } = item;
    const { length } = row.cells;
    if (this.rows++ === 0) this.surplus = this.surplusOf(row.cells);
    const columns = this.names.length + this.surplus;
    if (
      this.surplus !== 0 &&
      length === columns &&
      row.cells.slice(this.names.length).every((cell) => cell === '')
    )
      return [this.fit(row)];
    if (length >= columns) this.whole++;
    if (length >= columns || row.endsAtEof || this.surplus !== 0)
      return [...this.takeBlock(), this.surplus > 0 && length < columns ? shorter(row, columns) : item];
    return this.acceptShort(row);
  }

  /** The items at the end of the file. */
  finish(): readonly ReadItem[] {
    const rest = this.takeBlock(true);
    if (this.fitted === 0) return rest;
    const problem = warning('row_ends_empty', [], { count: this.fitted });
    return [...rest, { kind: 'notice', line: this.firstLine, problem }];
  }

  private surplusOf(cells: readonly string[]): number {
    const ends = [...this.names.slice(cells.length), ...cells.slice(this.names.length)];
    const isCut = this.delimiter === ',' && CUT_NUMBER.test(cells.join(','));
    return !isCut && ends.every((end) => end === '') ? cells.length - this.names.length : 0;
  }

  /** A block begins on a line that a spreadsheet begins one on, or after so many rows, and is behind one that is whole. */
  private acceptShort(row: SourceRow): readonly ReadItem[] {
    const [first] = this.block;
    const before = first && first.cells.length !== row.cells.length ? this.takeBlock() : [];
    const mayBegin = this.whole >= BLOCK - 1 && (row.firstLine % BLOCK === 1 || this.rows % BLOCK === 1);
    this.block.push(row);
    if (this.block.length === 1 && !mayBegin) return [...before, ...this.takeBlock()];
    return this.block.length < BLOCK ? before : [...before, ...this.takeBlock(true)];
  }

  /** The rows of the block, which is whole when nothing can be behind it. One row is none. */
  private takeBlock(isWhole = false): readonly ReadItem[] {
    const rows = this.block;
    this.block = [];
    if (isWhole && rows.length > 1) return rows.map((row) => this.fit(row));
    if (rows.length > 0) this.whole = -Infinity;
    return rows.map((row) => ({ kind: 'row', row }));
  }

  private fit(row: SourceRow): ReadItem {
    if (this.fitted++ === 0) this.firstLine = row.firstLine;
    const cells = this.names.map((_, at) => row.cells[at] ?? '');
    return { kind: 'row', row: { ...row, cells } };
  }
}

/** A row that lacks the delimiter with which all rows before it end. */
function shorter(row: SourceRow, columns: number): ReadItem {
  const facts = { cells: row.cells.length, columns, than: 'the rows above it', from_byte: row.byteStart };
  return { kind: 'broken', row, problem: failure('row_too_short', [], facts) };
}
