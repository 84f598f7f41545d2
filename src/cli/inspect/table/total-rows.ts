import { withoutLastZeros } from '../../../core/values/decimal.ts';
import type { SourceRow } from '../../csv/source-row.ts';
import type { ColumnCounter } from '../column/column-profile.ts';
import { NumberShapes } from '../column/numbers.ts';
import { OccurrenceCount, Tally } from '../column/occurrences.ts';
import { literalPattern } from '../../../core/values/literal-pattern.ts';

/** The rows before the last. */
interface RowsBefore {
  readonly rows: number;
  readonly width: number;
  readonly columns: readonly Pick<ColumnCounter, 'filled' | 'total'>[];
}

const DECIMAL_MARKS = ['.', ','] as const;

const TRAILER_WORD =
  /^[*\s]*(TOTAL|TOTALS|GRAND TOTAL|SUM|SUMME|GESAMT|GESAMTSUMME|ENDSUMME|Σ|合計|総計|EOF|END|ENDE|TRAILER|TRL|TR|FT|T|Z|99)$/i;

/** The reasons to take the last row for a control record; undefined when it looks like any other row. Cells count from 1. */
export function trailerFinding(row: SourceRow, before: RowsBefore) {
  const { cells, firstLine: line } = row;
  const { rows, columns } = before;
  const mark = trailerMark(row);
  const hasOtherWidth = cells.length !== before.width;
  const count = countIn(cells, rows);
  const sums = sumsIn(cells, columns);
  const hasTotals = sums.length > 0 || count !== null;
  // A cell is empty that is filled in all rows before it.
  const sparse = cells.some((cell, at) => cell.trim() === '' && columns[at]?.filled === rows);
  const isTrailer = hasOtherWidth || (mark && hasTotals) || (sparse && (mark || hasTotals));
  return isTrailer ? { line, cells: cells.length, mark, hasOtherWidth, count, sums } : undefined;
}

function trailerMark({ cells }: SourceRow): { cell: number; text: string } | null {
  const at = cells.findIndex((cell) => cell.trim() !== '');
  const text = cells[at]?.trim().replace(/[:.]$/, '') ?? '';
  return TRAILER_WORD.test(text) ? { cell: at + 1, text: cells[at]! } : null;
}

/** The cell with the number of rows: `400`, or `Zeilen: 400`, which `^Zeilen: \\d+$` matches. */
function countIn(cells: readonly string[], rows: number): { cell: number; pattern: string | null } | null {
  const found = cells.flatMap((cell, at) => {
    // A longer text is no sentence about the number of rows.
    const parts = cell.length > LONGEST_LABEL ? null : /^(\D*)(\d+)(\D*)$/u.exec(cell);
    const [, before = '', count = '', behind = ''] = parts ?? [];
    if (rows === 0 || count.replace(/^0+(?=\d)/, '') !== String(rows)) return [];
    const hasLabel = /\p{L}/u.test(before + behind);
    const label = String.raw`^${literalPattern(before)}\d+${literalPattern(behind)}$`;
    return hasLabel || (before + behind).trim() === ''
      ? [{ cell: at + 1, pattern: hasLabel ? label : null }]
      : [];
  });
  return found.find(({ pattern }) => pattern !== null) ?? found[0] ?? null;
}

/** The cells that are the exact sum of a column, whatever zeros they end with. */
function sumsIn(
  cells: readonly string[],
  columns: RowsBefore['columns'],
): readonly { cell: number; column: number }[] {
  const numbers = new NumberShapes();
  const found = DECIMAL_MARKS.flatMap((mark) => {
    const totals = columns.map((column) => {
      const total = column.filled < 2 ? undefined : column.total(mark);
      return total && !total.isZero ? withoutLastZeros(total.text) : undefined;
    });
    return cells.flatMap((cell, at) => {
      const value = numbers.value(cell.trim(), mark);
      const text = value && withoutLastZeros(value.text);
      return totals.flatMap((total, column) =>
        text !== undefined && total === text ? [{ cell: at + 1, column: column + 1 }] : [],
      );
    });
  });
  return found.toSorted((a, b) => a.cell - b.cell || a.column - b.column);
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
  /** White space before the word, of all rows. */
  spaces: string;
  readonly filled: Set<number>;
}

/** Rows of totals, as a draft needs them. */
export type Subtotals = ReturnType<SubtotalCounter['result']>[number];

/** Looks for rows that begin with a word for a total and are mostly empty. */
export class SubtotalCounter {
  private readonly found = new Map<string, TotalRows>();
  private rows = 0;
  private filledCells = 0;

  /** Looks at a row. @returns whether it is a row of totals */
  accept({ cells, firstLine }: SourceRow): boolean {
    const filled = cells.flatMap((cell, at) => (cell.trim() === '' ? [] : [at + 1]));
    const column = filled[0] ?? 0;
    const first = cells[column - 1] ?? '';
    const word = SUBTOTAL_WORD.exec(first.trimStart().slice(0, LONGEST_LABEL))?.[0];
    const usual = this.rows === 0 ? cells.length : this.filledCells / this.rows;
    if (word === undefined || filled.length * 10 > usual * SPARSE_TENTHS) {
      if (filled.length > 0) this.rows++;
      this.filledCells += filled.length;
      return false;
    }
    const key = `${column} ${word}`;
    const known = this.found.get(key) ?? {
      seen: new OccurrenceCount(),
      column,
      word,
      spaces: '',
      filled: new Set(),
    };
    this.found.set(key, known);
    known.seen.add(firstLine);
    known.spaces += /^\s*/.exec(first)![0];
    for (const each of filled) known.filled.add(each);
    return true;
  }

  result() {
    return [...this.found.values()]
      .toSorted((a, b) => b.seen.count - a.seen.count)
      .map(({ seen: { count, lines }, filled, ...rows }) => ({ ...rows, count, lines, filled: [...filled] }));
  }
}

/** A page and its number, in some cell. */
const PAGE =
  /^(?:page|pagina|página|seite|blatt|side|sida|sivu|strona|strana|oldal|sayfa|стр\.?|頁)\s*:?\s*\d+/iu;

/** Looks for lines that come on every page of a report: those above the header, and those with the number of a page. */
export class PageLineCounter {
  /** Lines above the header, without their digits. */
  private readonly titles: ReadonlySet<string>;
  private readonly found = new Tally();

  /** @param above the lines above the header */
  constructor(above: readonly string[]) {
    this.titles = new Set(above.filter((text) => /\p{L}/u.test(text)).map(withoutDigits));
  }

  /** Looks at a row, given as its line without quotes. @returns whether it is a line of a page */
  accept({ cells, firstLine }: SourceRow, delimiter: string): boolean {
    const line = cells.join(delimiter);
    const isSparse = cells.filter((cell) => cell.trim() !== '').length * 2 <= Math.max(cells.length, 2);
    const isPage =
      this.titles.has(withoutDigits(line)) || (isSparse && cells.some((cell) => PAGE.test(cell.trim())));
    if (isPage) this.found.add(withoutDigits(line), firstLine);
    return isPage;
  }

  result() {
    return this.found.ranked().map(({ name, count, lines }) => ({
      pattern: `^${literalPattern(name).replaceAll(DIGITS, '\\d+')}$`,
      count,
      lines,
    }));
  }
}

/** In place of digits. No line of a text has it. */
const DIGITS = '\0';

const withoutDigits = (text: string): string => text.replace(/^\f+/, '').replaceAll(/\d+/g, DIGITS);
