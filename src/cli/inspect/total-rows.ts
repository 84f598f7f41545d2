import { compareDecimals, Decimal } from '../../core/values/decimal.ts';
import type { Subtotals, TrailerFinding } from './inspection.ts';
import { NUMBER_MARKS, numberShape, plainNumber } from './number-shape.ts';
import { Tally } from './occurrences.ts';
import type { LooseRow } from './row-cutter.ts';

/** The totals of the rows before the last. */
export interface RowTotals {
  readonly rows: number;
  readonly width: number;
  /** How often each column is filled. */
  readonly filled: readonly number[];
  /** Sum of each column with a decimal mark; undefined where a cell is no such number. */
  total(column: number, decimalMark: '.' | ','): Decimal | undefined;
}

const TRAILER_WORD =
  /^[*\s]*(TOTAL|TOTALS|GRAND TOTAL|SUM|SUMME|GESAMT|GESAMTSUMME|ENDSUMME|Σ|合計|総計|EOF|END|ENDE|TRAILER|TRL|TR|FT|T|Z|99)$/i;

/** The reasons to take the last row for a control record; undefined when it looks like any other row. */
export function trailerFinding(row: LooseRow, totals: RowTotals): TrailerFinding | undefined {
  const { cells, firstLine: line } = row;
  const mark = trailerMark(row);
  const hasOtherWidth = cells.length !== totals.width;
  const countCells = cells.flatMap((cell, at) => (isNumber(cell, totals.rows) ? [at + 1] : []));
  const sums = cells.flatMap((cell, at) => sumsIn(cell.trim(), at + 1, totals));
  const hasTotals = sums.length > 0 || countCells.length > 0;
  const sparse = isSparse(row, totals);
  const isTrailer = hasOtherWidth || (mark && hasTotals) || (sparse && (mark || hasTotals));
  return isTrailer ? { line, cells: cells.length, mark, hasOtherWidth, countCells, sums } : undefined;
}

function trailerMark({ cells }: LooseRow): TrailerFinding['mark'] {
  const at = cells.findIndex((cell) => cell.trim() !== '');
  const text = cells[at]?.trim().replace(/[:.]$/, '') ?? '';
  return TRAILER_WORD.test(text) ? { cell: at + 1, text: cells[at]! } : null;
}

function isNumber(cell: string, count: number): boolean {
  return count > 0 && /^\d+$/.test(cell.trim()) && cell.trim().replace(/^0+(?=\d)/, '') === String(count);
}

/** Whether a cell is empty that is filled in all rows before it. */
function isSparse({ cells }: LooseRow, { filled, rows }: RowTotals): boolean {
  return cells.some((cell, at) => cell.trim() === '' && filled[at] === rows);
}

function sumsIn(cell: string, number: number, totals: RowTotals): TrailerFinding['sums'] {
  const shape = numberShape(cell);
  if (!shape) return [];
  return totals.filled.flatMap((filled, column) => {
    if (filled < 2) return [];
    const mark = (['.', ','] as const).find((decimalMark) => {
      const fits = NUMBER_MARKS.find((marks, at) => marks.decimalMark === decimalMark && shape.fits[at]);
      const value = fits && Decimal.parse(plainNumber(shape, fits));
      const total = totals.total(column, decimalMark);
      return value && total && !total.isZero && compareDecimals(value, total) === 0;
    });
    return mark === undefined ? [] : [{ cell: number, column: column + 1, decimalMark: mark }];
  });
}

const SUBTOTAL_WORD =
  /^[*\s]*(?:sub[- ]?totals?|grand totals?|totals?|carried forward|zwischensumme|gesamtsumme|gesamt|summe|übertrag|sous-total|suma|razem|totale|subtotale|součet|celkem|összesen|toplam|итого|всего|σύνολο|小計|合計|総計)(?![\p{L}\p{N}])/iu;

/** A row of totals has at most this share of the cells that a row of data has, in tenths. */
const SPARSE_TENTHS = 7;

/** Looks for rows that begin with a word for a total and are mostly empty. */
export class SubtotalCounter {
  private readonly found = new Tally();
  private rows = 0;
  private filledCells = 0;

  accept({ cells, firstLine }: LooseRow): void {
    const filled = cells.filter((cell) => cell.trim() !== '').length;
    const at = cells.findIndex((cell) => cell.trim() !== '');
    const word = SUBTOTAL_WORD.exec(cells[at]?.trimStart() ?? '')?.[0];
    // How many cells other rows have on average is known at the end.
    if (word !== undefined) this.found.add(`${filled} ${at + 1} ${word}`, firstLine);
    else if (filled > 0) {
      this.rows++;
      this.filledCells += filled;
    }
  }

  result(): readonly Subtotals[] {
    return this.found.ranked().flatMap(({ name, count, lines }) => {
      const [filled, column, ...words] = name.split(' ');
      const isSparseRow = Number.parseInt(filled!, 10) * this.rows * 10 <= this.filledCells * SPARSE_TENTHS;
      return isSparseRow
        ? [{ column: Number.parseInt(column!, 10), word: words.join(' '), count, lines }]
        : [];
    });
  }
}
