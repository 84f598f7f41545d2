import { compareDecimals, Decimal } from '../../core/values/decimal.ts';
import { NUMBER_MARKS, numberShape, plainNumber } from './number-shape.ts';
import type { LooseRow } from './row-cutter.ts';

/** What speaks for the last row being a control record. */
export interface TrailerEvidence {
  readonly line: number;
  readonly cells: number;
  /** The word that its first filled cell begins with, out of those that such records are known by. */
  readonly mark: { readonly cell: number; readonly text: string } | null;
  readonly hasOtherWidth: boolean;
  /** One-based cells that hold the number of rows before it. */
  readonly countCells: readonly number[];
  /** Cells that hold the exact sum of a column. */
  readonly sums: readonly {
    readonly cell: number;
    readonly column: number;
    readonly decimalMark: '.' | ',';
  }[];
}

/** What the rows before the last have come to. */
export interface RowTotals {
  readonly rows: number;
  readonly width: number;
  /** How often each column is filled. */
  readonly filled: readonly number[];
  /** Sum of each column under a decimal mark, where it is one. */
  total(column: number, decimalMark: '.' | ','): Decimal | undefined;
}

const MARKS =
  /^(TOTAL|TOTALS|GRAND TOTAL|SUM|SUMME|GESAMT|GESAMTSUMME|ENDSUMME|Σ|合計|総計|EOF|END|ENDE|TRAILER|TRL|TR|FT|T|Z|99)$/i;

/** Undefined when the row looks like any other. */
export function trailerEvidence(row: LooseRow, totals: RowTotals): TrailerEvidence | undefined {
  const mark = markOf(row);
  const hasOtherWidth = row.cells.length !== totals.width;
  const countCells = row.cells.flatMap((cell, at) => (isNumber(cell, totals.rows) ? [at + 1] : []));
  const sums = row.cells.flatMap((cell, at) => sumsIn(cell.trim(), at + 1, totals));
  const isProven = sums.length > 0 || countCells.length > 0;
  if (
    !hasOtherWidth &&
    !(mark && (isProven || isSparse(row, totals))) &&
    !(isProven && isSparse(row, totals))
  ) {
    return undefined;
  }
  return { line: row.firstLine, cells: row.cells.length, mark, hasOtherWidth, countCells, sums };
}

function markOf({ cells }: LooseRow): TrailerEvidence['mark'] {
  const at = cells.findIndex((cell) => cell.trim() !== '');
  const text = cells[at]?.trim().replace(/[:.]$/, '') ?? '';
  return MARKS.test(text) ? { cell: at + 1, text: cells[at]! } : null;
}

function isNumber(cell: string, count: number): boolean {
  return count > 0 && /^\d+$/.test(cell.trim()) && cell.trim().replace(/^0+(?=\d)/, '') === String(count);
}

/** Empty where the rows before it are filled. */
function isSparse({ cells }: LooseRow, { filled, rows }: RowTotals): boolean {
  return cells.some((cell, at) => cell.trim() === '' && filled[at] === rows);
}

function sumsIn(cell: string, number: number, totals: RowTotals): TrailerEvidence['sums'] {
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
