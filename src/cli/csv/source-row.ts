import { failure, type Problem } from '../../core/problem.ts';
import type { Cells } from './key-paths.ts';
import { DELIMITERS } from './opening.ts';

/** Longest row in bytes. A longer one means a quotation mark that was never closed, or a file that is no CSV. */
export const MAX_ROW_BYTES = 16 * 1024 * 1024;

/** One record of a file, as it is in the file. */
export interface SourceRow {
  /** Physical lines, one-based. They differ when a cell has line breaks. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Bytes of the file from `byteStart` up to but not including `byteEnd`, with its line break and the blank lines before it. */
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly cells: Cells;
  /** The file ends behind the last cell, without a line break. Then a row with too few cells was cut off. */
  readonly endsAtEof?: boolean;
  /** The places of fixed columns that belong to no column and are not blank here, counted from 0. */
  readonly filledGaps?: readonly number[];
}

/** A cell of a file, as people count; null: of the file and line that are read, and no cell in particular. */
export type ItemCell = Readonly<{
  file: string | null;
  line: number | null;
  column: number | null;
  header: string | null;
}>;

/** The content of a file when it was read. Two files with the same hash have the same content, whatever their names. */
export interface SourceFingerprint {
  readonly bytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** The key paths inside of the objects of each list of JSON Lines, by the key path of the list. */
export type ElementPaths = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The reader yields the header first, unless the file has none; then rows and control records in file order, with notices
 * about the file between them; and at most once, and last, why it cannot be read on. The consumer decides whether there is
 * each control record, whether it is the last row, and whether rows have as many cells as names. The bytes before the first
 * row are those of preamble and header. `skipped` are lines of the preamble, behind the header, that nothing has looked at.
 * `mark` is the index of a control record in the format. `broken` is a row that cannot be cut into cells,
 * although the rows behind it can. `isOneCell`: the whole header is in quotes. `elements`: for JSON Lines, whose columns are key paths, the key paths inside of each list.
 */
export type ReadItem =
  | Readonly<{
      kind: 'header';
      names: readonly string[];
      line: number;
      elements?: ElementPaths;
      isOneCell?: boolean;
    }>
  | Readonly<{ kind: 'row'; row: SourceRow }>
  /** `mark`: of the format; null for the end of a file of rejects. */
  | Readonly<{ kind: 'trailer'; row: SourceRow; mark: number | null }>
  | Readonly<{ kind: 'repeated_header' | 'page_line'; row: SourceRow }>
  | Readonly<{ kind: 'left_out'; row: SourceRow; by: LeftOutPart; place: string }>
  | Readonly<{ kind: 'broken'; row: SourceRow; problem: Problem; cell?: ItemCell }>
  | Readonly<{ kind: 'skipped'; row: SourceRow }>
  | Readonly<{ kind: 'notice'; line: number; problem: Problem; cell?: ItemCell }>
  | Readonly<{ kind: 'unreadable'; line: number; problem: Problem; cell?: ItemCell }>;

/** A line of a table that is no row of the result of its query. */
export type LeftOutPart = 'query' | 'repeated_header' | 'page_line';

/** Files that were joined have a byte order mark where the next one begins, at the beginning of a row. */
export const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/** The items one by one. */
export async function* eachItem(lists: AsyncIterable<readonly ReadItem[]>): AsyncGenerator<ReadItem> {
  for await (const items of lists) yield* items;
}

/** The problem of a row with another number of cells than its header; undefined when they are as many. */
export function cellCountProblem(row: SourceRow, header: readonly string[]): Problem | undefined {
  const { cells } = row;
  if (cells.length === header.length) return undefined;
  const facts = { cells: cells.length, columns: header.length, from_byte: row.byteStart };
  if (cells.length === 1 && DELIMITERS.some((mark) => cells[0]!.split(mark).length >= header.length))
    return ROW_IN_QUOTES;
  if (cells.length > header.length) return failure('row_too_long', [], facts);
  return failure(row.endsAtEof ? 'row_cut_off' : 'row_too_short', [], facts);
}

/** Whether a header is one cell that has the delimiter in it, because the whole line is in quotes. Another delimiter may be behind it. */
export function isOneCell([first = '', ...others]: Cells, delimiter: string): boolean {
  const marks = others.length === 0 ? [delimiter] : DELIMITERS.filter((mark) => mark !== delimiter);
  return others.every((cell) => cell === '') && marks.some((mark) => first.includes(mark));
}

/** A row, or a header, that is one cell because the whole line is in quotes. */
export const ROW_IN_QUOTES = failure('quote_misplaced', [], { what: 'the whole row is one cell, in quotes' });

/** Why a row cannot be a row of data under a header; undefined when it can. */
export function rowProblem(row: SourceRow, header: readonly string[]): Problem | undefined {
  return (
    cellCountProblem(row, header) ?? (repeatsHeader(row, header) ? failure('header_repeated', []) : undefined)
  );
}

/** Whether a row is the header once more. */
export function repeatsHeader({ cells }: SourceRow, header: readonly string[]): boolean {
  return cells[0] === header[0] && cells.every((cell, index) => cell === header[index]);
}
