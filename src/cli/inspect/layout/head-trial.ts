import { ReadingPass } from '../../csv/read-csv.ts';
import { RFC_4180, type SourceFormat } from '../../csv/source-format.ts';
import type { SourceRow } from '../../csv/source-row.ts';
import { DateCounter } from '../column/dates.ts';
import { NumberShapes } from '../column/numbers.ts';

/** How quotation marks are read. */
type Quotes = Readonly<{ quote: '"' | null; escape: '"' | '\\' | null }>;

/** What may be meant by quotation marks, in the order in which it is tried: quotes, quotes behind backslashes, and parts of values. */
const QUOTES: readonly Quotes[] = [
  { quote: '"', escape: '"' },
  { quote: '"', escape: '\\' },
  { quote: null, escape: null },
];

export interface FirstLines {
  readonly text: string;
  /** Without their line ends. */
  readonly lines: readonly string[];
  /** Whether the file has no others. */
  readonly isWhole: boolean;
}

/** The decoder has removed it from the text, and the reader takes it for none. A second one is a character of the text. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Lines at which the reader may stop. More of them mean that the format is wrong. */
const MOST_STOPS = 20;

/** The first rows of a file, cut with one delimiter. */
export type HeadTrial = Awaited<ReturnType<typeof trialOf>>;

async function trialOf(head: FirstLines, delimiter: string, quotes: Quotes) {
  const format = { ...RFC_4180, ...quotes, delimiter, header: [], hasNullMarks: true };
  const { rows: read, stops } = await readHead(head, format);
  const width = usualWidth(read);
  const rows = withEqualEnds(read, width);
  const header = headerRow(rows, width);
  const usual = rows.filter(({ cells }) => cells.length === width);
  return {
    delimiter,
    quotes,
    /** Cells that most rows have. */
    width,
    rows,
    /** Rows of another width. */
    ragged: rows.length - usual.length,
    header,
    /** Rows of the width behind the header. */
    data: usual.filter(({ firstLine }) => firstLine > header.lastLine),
    /** Whether these are all rows of the file. */
    isWhole: head.isWhole,
    /** Lines that stop the reader. A quote that is opened above the header says nothing about the rows. */
    stops: stops.filter((line) => line > header.lastLine).length,
  };
}

/** Reads the first lines with a delimiter, as a push reads them, and with the meaning of quotation marks that stops it least. */
export async function headTrial(head: FirstLines, delimiter: string): Promise<HeadTrial> {
  const meanings = head.text.includes('"') ? QUOTES : QUOTES.slice(0, 1);
  const trials: HeadTrial[] = [];
  for (const quotes of meanings) trials.push(await trialOf(head, delimiter, quotes));
  const [first] = trials as [HeadTrial];
  const plain = trials.at(-1)!;
  const quoted = plain.data.flatMap(({ cells }) => cells.filter(isQuoted)).length;
  // Where most quotation marks are around cells, or have delimiters between them, another one is a mistake of its row.
  const mayBeValues = quoted <= first.stops && plain.ragged <= first.ragged + first.stops;
  return trials.find(({ quotes, stops }) => stops === 0 && (quotes.quote !== null || mayBeValues)) ?? first;
}

const isQuoted = (cell: string): boolean => cell.length > 1 && cell.startsWith('"') && cell.endsWith('"');

/** Rows with an empty cell at the end alone, and rows without one where all others have it, get the usual width. */
function withEqualEnds(rows: readonly SourceRow[], width: number): readonly SourceRow[] {
  const isEndEmpty = rows.every(({ cells }) => cells.length !== width || cells.at(-1) === '');
  return rows.map((row) => {
    const { cells } = row;
    if (cells.length === width + 1 && cells.at(-1) === '') return { ...row, cells: cells.slice(0, -1) };
    return isEndEmpty && cells.length > 1 && cells.length === width - 1
      ? { ...row, cells: [...cells, ''] }
      : row;
  });
}

/** The number of cells that most rows have; of equally frequent numbers the first. */
function usualWidth(rows: readonly SourceRow[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}

/** The rows of the first lines. The reading goes on behind each line that stops it. */
async function readHead(
  { text: given, lines, isWhole }: FirstLines,
  format: SourceFormat,
): Promise<{ rows: readonly SourceRow[]; stops: readonly number[] }> {
  const text = Buffer.from(`${BYTE_ORDER_MARK}${given}`);
  const rows: SourceRow[] = [];
  const stops: number[] = [];
  for (let skipLines = 0; stops.length <= MOST_STOPS && skipLines < lines.length;) {
    const pass = new ReadingPass({ ...format, skipLines });
    await pass.accept(text);
    // The last row may go on behind the lines that are looked at.
    if (isWhole) await pass.finish();
    const items = pass.take();
    rows.push(...items.flatMap((item) => (item.kind === 'row' ? [item.row] : [])));
    const stop = items.find((item) => item.kind === 'unreadable');
    if (!stop) break;
    stops.push(stop.line);
    skipLines = Math.max(skipLines + 1, stop.line);
  }
  return { rows, stops };
}

const LONGEST_NAME = 100;

export interface HeaderRow {
  /** Physical line, one-based; the line of the first row of data when there is no header. */
  readonly line: number;
  /** The last physical line of the row: a name may have a line break. */
  readonly lastLine: number;
  readonly names: readonly string[];
  /** False when the row that should be the header has numbers or dates. The file may have no header then. */
  readonly looksLikeHeader: boolean;
}

export const NO_HEADER: HeaderRow = { line: 1, lastLine: 0, names: [], looksLikeHeader: false };

/** The header among the first rows: the first filled row of the usual width. Rows before it are preamble. */
function headerRow(rows: readonly SourceRow[], width: number): HeaderRow {
  const candidates = rows.filter(({ cells }) => cells.length === width);
  // Rows with gaps above a header without gaps are a preamble that a spreadsheet has padded.
  const firstFull = candidates.find(({ cells }) => cells.every((cell) => cell.trim() !== ''));
  const most = Math.max(0, ...candidates.map(filledIn));
  const isNotPadded = (each: SourceRow): boolean => each.cells.length === 1 || filledIn(each) * 2 > most;
  const row =
    firstFull && areNames(firstFull.cells) ? firstFull : (candidates.find(isNotPadded) ?? candidates[0]);
  if (!row) return NO_HEADER;
  const { firstLine: line, lastLine, cells: names } = row;
  return { line, lastLine, names, looksLikeHeader: areNames(names) };
}

/** Padding leaves most cells of a row empty that other rows fill. */
const filledIn = ({ cells }: SourceRow): number => cells.filter((cell) => cell.trim() !== '').length;

/** Spreadsheets leave columns without a name at the end, and some between the others. */
function areNames(row: readonly string[]): boolean {
  const cells = row.slice(0, row.findLastIndex((cell) => cell.trim() !== '') + 1);
  const names = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return names.length > 0 && names.length * 4 >= cells.length * 3 && names.every(isName);
}

export const isNumber = (cell: string): boolean => new NumberShapes().of(cell) !== undefined;

function isName(cell: string): boolean {
  return cell.length <= LONGEST_NAME && !isNumber(cell) && new DateCounter().accept(cell, 1) === undefined;
}
