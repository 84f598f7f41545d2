import type { ContainedColumn } from '../inspection.ts';

/** Shorter texts are in many others by chance. */
const LEAST_LENGTH = 4;
/** Fewer rows prove nothing. */
const LEAST_ROWS = 5;

/** A pair of columns, by their places, and the rows that were compared. */
interface Pair {
  readonly part: number;
  readonly whole: number;
  rows: number;
}

/**
 * Looks for columns whose cells contain those of another column of their row, as a path contains the account. The first row with values
 * decides about the pairs, and a pair that a row contradicts is left out from then on, so that a row costs no more than a look at the
 * pairs that are left.
 */
export class ContainedColumnCounter {
  private pairs: Pair[] | undefined;

  accept(cells: readonly string[]): void {
    if (!this.pairs) {
      if (cells.some((cell) => cell.length >= LEAST_LENGTH)) this.pairs = pairsIn(cells);
      return;
    }
    if (this.pairs.length === 0) return;
    this.pairs = this.pairs.filter((pair) => {
      const part = cells[pair.part]!.trim();
      if (part === '') return true;
      pair.rows++;
      return isContained(part, cells[pair.whole]!);
    });
  }

  result(): readonly ContainedColumn[] {
    return (this.pairs ?? [])
      .filter(({ rows }) => rows >= LEAST_ROWS)
      .map(({ part, whole, rows }) => ({ part: part + 1, whole: whole + 1, rows }));
  }
}

function pairsIn(cells: readonly string[]): Pair[] {
  const parts = cells.flatMap((cell, at) => (cell.trim().length >= LEAST_LENGTH ? [at] : []));
  return parts.flatMap((part) =>
    parts.flatMap((whole) =>
      isContained(cells[part]!.trim(), cells[whole]!) ? [{ part, whole, rows: 1 }] : [],
    ),
  );
}

const isContained = (part: string, whole: string): boolean =>
  part.length >= LEAST_LENGTH && whole.trim().length > part.length && whole.includes(part);
