import { compareDecimals, Decimal, sum, withoutLastZeros } from '../../../core/values/decimal.ts';
import type { PageLines, Subtotals, TrailerFinding } from '../inspection.ts';
import { NUMBER_MARKS, numberShape, plainNumber } from '../column/number-shape.ts';
import { OccurrenceCount, Tally } from '../column/occurrences.ts';
import type { LooseRow } from '../layout/row-cutter.ts';

/** The totals of the rows before the last. */
export interface RowTotals {
  readonly rows: number;
  readonly width: number;
  /** How often each column is filled. */
  readonly filled: readonly number[];
  /** Sum of each column with a decimal mark; undefined where a cell is no such number. */
  total(column: number, decimalMark: '.' | ','): Decimal | undefined;
}

const DECIMAL_MARKS = ['.', ','] as const;

const TRAILER_WORD =
  /^[*\s]*(TOTAL|TOTALS|GRAND TOTAL|SUM|SUMME|GESAMT|GESAMTSUMME|ENDSUMME|Σ|合計|総計|EOF|END|ENDE|TRAILER|TRL|TR|FT|T|Z|99)$/i;

/** The reasons to take the last row for a control record; undefined when it looks like any other row. */
export function trailerFinding(row: LooseRow, totals: RowTotals): TrailerFinding | undefined {
  const { cells, firstLine: line } = row;
  const mark = trailerMark(row);
  const hasOtherWidth = cells.length !== totals.width;
  const countCells = cells.flatMap((cell, at) => (isNumber(cell, totals.rows) ? [at + 1] : []));
  const columns = columnsByTotal(totals);
  const sums = cells.flatMap((cell, at) => sumsIn(cell.trim(), at + 1, columns));
  const countLabel = labelledCountIn(cells, totals.rows);
  const hasTotals = sums.length > 0 || countCells.length > 0 || countLabel !== null;
  const sparse = isSparse(row, totals);
  const isTrailer = hasOtherWidth || (mark && hasTotals) || (sparse && (mark || hasTotals));
  return isTrailer
    ? { line, cells: cells.length, mark, hasOtherWidth, countCells, countLabel, sums }
    : undefined;
}

function trailerMark({ cells }: LooseRow): TrailerFinding['mark'] {
  const at = cells.findIndex((cell) => cell.trim() !== '');
  const text = cells[at]?.trim().replace(/[:.]$/, '') ?? '';
  return TRAILER_WORD.test(text) ? { cell: at + 1, text: cells[at]! } : null;
}

/** Finds `Zeilen: 400`, where the number of rows is 400: `^Zeilen: \\d+$`. */
function labelledCountIn(cells: readonly string[], rows: number): TrailerFinding['countLabel'] {
  for (const [at, cell] of cells.entries()) {
    if (cell.length > LONGEST_COUNT) continue;
    const [, before = '', count, behind = ''] = /^(\D*)(\d+)(\D*)$/u.exec(cell) ?? [];
    if (count === undefined || !/\p{L}/u.test(before + behind) || !isNumber(count, rows)) continue;
    return { cell: at + 1, pattern: String.raw`^${literalPattern(before)}\d+${literalPattern(behind)}$` };
  }
  return null;
}

/** A longer text is no sentence about the number of rows. */
const LONGEST_COUNT = 200;

function isNumber(cell: string, count: number): boolean {
  return count > 0 && /^\d+$/.test(cell.trim()) && cell.trim().replace(/^0+(?=\d)/, '') === String(count);
}

/** Whether a cell is empty that is filled in all rows before it. */
function isSparse({ cells }: LooseRow, { filled, rows }: RowTotals): boolean {
  return cells.some((cell, at) => cell.trim() === '' && filled[at] === rows);
}

/** The columns with a sum, by its decimal mark and its digits: a wide row has as many cells as there are columns. */
function columnsByTotal(totals: RowTotals): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  totals.filled.forEach((filled, column) => {
    if (filled < 2) return;
    for (const mark of DECIMAL_MARKS) {
      const total = totals.total(column, mark);
      if (!total || total.isZero) continue;
      const key = keyOfTotal(mark, total);
      const columns = found.get(key);
      if (columns) columns.push(column);
      else found.set(key, [column]);
    }
  });
  return found;
}

/** Equal for equal amounts, whatever zeros they end with. */
const keyOfTotal = (mark: '.' | ',', { text }: Decimal): string => mark + withoutLastZeros(text);

function sumsIn(
  cell: string,
  number: number,
  columns: ReadonlyMap<string, readonly number[]>,
): TrailerFinding['sums'] {
  const shape = columns.size === 0 ? undefined : numberShape(cell);
  if (!shape) return [];
  const found = new Map<number, '.' | ','>();
  for (const mark of DECIMAL_MARKS) {
    const fits = NUMBER_MARKS.find(({ decimalMark }, at) => decimalMark === mark && shape.fits[at]);
    const value = fits && Decimal.parse(plainNumber(shape, fits));
    for (const column of (value && columns.get(keyOfTotal(mark, value))) ?? [])
      if (!found.has(column)) found.set(column, mark);
  }
  return [...found]
    .toSorted(([a], [b]) => a - b)
    .map(([column, decimalMark]) => ({ cell: number, column: column + 1, decimalMark }));
}

const SUBTOTAL_WORD =
  /^[*\s]*(?:(?:\p{L}+ ){0,2}(?:sub[- ]?)?totals?|carried forward|zwischensumme|gesamtsumme|gesamt|summe|übertrag|sous-total|suma|razem|totale|subtotale|součet|celkem|összesen|toplam|итого|всего|σύνολο|小計|合計|総計)(?![\p{L}\p{N}])/iu;

/** A label of totals ends within so many characters. A longer text would exhaust the stack of the expression. */
const LONGEST_LABEL = 200;

/** A row of totals has at most this share of the cells that a row of data has, in tenths. */
const SPARSE_TENTHS = 7;

/** Rows of totals with one word in one column. */
interface TotalRows {
  readonly seen: OccurrenceCount;
  readonly column: number;
  readonly word: string;
  text: string | null;
  readonly filled: Set<number>;
  /** Columns whose sums the rows have so far, each with a decimal mark. */
  sinceLast: readonly SumCandidate[];
  sinceStart: readonly SumCandidate[];
  /** Rows of data before the first of them. */
  readonly rowsBefore: number;
}

interface SumCandidate {
  readonly column: number;
  readonly decimalMark: '.' | ',';
  /** Sum of the column up to the last row of totals. */
  readonly before: Decimal;
}

/** Looks for rows that begin with a word for a total and are mostly empty, and for the columns of which they have the sums. */
export class SubtotalCounter {
  private readonly found = new Map<string, TotalRows>();
  private rows = 0;
  private filledCells = 0;

  /** Looks at a row. @returns whether it is a row of totals. `total`: the sum of a column so far */
  accept({ cells, firstLine }: LooseRow, total: RowTotals['total']): boolean {
    const filled = cells.filter((cell) => cell.trim() !== '').length;
    const at = cells.findIndex((cell) => cell.trim() !== '');
    const word = SUBTOTAL_WORD.exec((cells[at] ?? '').trimStart().slice(0, LONGEST_LABEL))?.[0];
    const usual = this.rows === 0 ? cells.length : this.filledCells / this.rows;
    if (word === undefined || filled * 10 > usual * SPARSE_TENTHS) {
      if (filled > 0) this.rows++;
      this.filledCells += filled;
      return false;
    }
    const key = `${at} ${word}`;
    const known = this.found.get(key) ?? this.firstOf({ at, word, cells });
    this.found.set(key, known);
    known.seen.add(firstLine);
    if (known.text !== cells[at]) known.text = null;
    for (const [column, cell] of cells.entries()) if (cell.trim() !== '') known.filled.add(column + 1);
    known.sinceLast = known.sinceLast.flatMap((candidate) => summed(candidate, cells, total) ?? []);
    known.sinceStart = known.sinceStart.filter(
      (candidate) => summed({ ...candidate, before: ZERO }, cells, total) !== undefined,
    );
    return true;
  }

  result(): readonly Subtotals[] {
    return [...this.found.values()]
      .toSorted((a, b) => b.seen.count - a.seen.count)
      .map(({ seen, column, word, text, filled, sinceLast, sinceStart, rowsBefore }) => ({
        column,
        word,
        count: seen.count,
        lines: seen.lines,
        text,
        filled: [...filled],
        sumsSinceLast: columnsIn(sinceLast),
        sumsSinceStart: columnsIn(sinceStart),
        isAtEnd: rowsBefore === this.rows,
      }));
  }

  private firstOf({ at, word, cells }: { at: number; word: string; cells: readonly string[] }): TotalRows {
    const all = cells.flatMap((_, column) =>
      DECIMAL_MARKS.map((decimalMark): SumCandidate => ({ column, decimalMark, before: ZERO })),
    );
    return {
      seen: new OccurrenceCount(),
      column: at + 1,
      word,
      text: cells[at]!,
      filled: new Set(),
      sinceLast: all,
      sinceStart: all,
      rowsBefore: this.rows,
    };
  }
}

const ZERO = Decimal.of('0');

/** The candidate for the next row of totals; undefined when the cell of its column is not the sum of the rows since the last. */
function summed(
  { column, decimalMark, before }: SumCandidate,
  cells: readonly string[],
  total: RowTotals['total'],
): SumCandidate | undefined {
  const shape = numberShape(cells[column]!.trim());
  const marks = shape && NUMBER_MARKS.find((each, at) => each.decimalMark === decimalMark && shape.fits[at]);
  const value = marks && Decimal.parse(plainNumber(shape, marks));
  const sumSoFar = value && total(column, decimalMark);
  if (!value || !sumSoFar || compareDecimals(sum([before, value]), sumSoFar) !== 0) return undefined;
  return { column, decimalMark, before: sumSoFar };
}

function columnsIn(candidates: readonly SumCandidate[]): readonly number[] {
  return [...new Set(candidates.map(({ column }) => column + 1))];
}

/** A page and its number, in some cell. */
const PAGE =
  /^(?:page|pagina|página|seite|blatt|side|sida|sivu|strona|strana|oldal|sayfa|стр\.?|頁)\s*:?\s*\d+/iu;

/** Looks for lines that come on every page of a report: those above the header, and those with the number of a page. */
export class PageLineCounter {
  /** Lines above the header, without their digits. */
  private readonly titles = new Set<string>();
  private readonly found = new Tally();

  /** Accepts a line above the header. */
  addTitle(text: string): void {
    if (/\p{L}/u.test(text)) this.titles.add(withoutDigits(text));
  }

  /** Looks at a row, given as its line without quotes. @returns whether it is a line of a page */
  accept({ cells, firstLine }: LooseRow, delimiter: string): boolean {
    const line = cells.join(delimiter);
    const isSparse = cells.filter((cell) => cell.trim() !== '').length * 2 <= Math.max(cells.length, 2);
    const isPage =
      this.titles.has(withoutDigits(line)) || (isSparse && cells.some((cell) => PAGE.test(cell.trim())));
    if (isPage) this.found.add(withoutDigits(line), firstLine);
    return isPage;
  }

  result(): readonly PageLines[] {
    return this.found.ranked().map(({ name, count, lines }) => ({
      pattern: `^${literalPattern(name).replaceAll(DIGITS, '\\d+')}$`,
      count,
      lines,
    }));
  }
}

/** A regular expression that matches a text itself. */
export function literalPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** In place of digits. No line of a text has it. */
const DIGITS = '\0';

const withoutDigits = (text: string): string => text.replace(/^\f+/, '').replaceAll(/\d+/g, DIGITS);
