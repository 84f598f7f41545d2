import { DATE_FORMATS, fitsFormat } from './date-formats.ts';
import { numberShape } from './number-shape.ts';
import type { LooseRow } from './row-cutter.ts';

/** Where the header of a file stands. */
export interface HeaderRow {
  /** Physical line, one-based; of the first row of data when there is no header. */
  readonly line: number;
  readonly names: readonly string[];
  /** False when the row that should be the header holds numbers or dates: the file may have none. */
  readonly looksLikeHeader: boolean;
}

const LONGEST_NAME = 100;

/**
 * The header among the first rows: the first row of the usual width that is filled. Rows before it are preamble. Undefined
 * when no row has the width.
 */
export function headerRow(rows: readonly LooseRow[], width: number): HeaderRow | undefined {
  const candidates = rows.filter((row) => !row.isBlank && row.cells.length === width);
  // What stands above a header that is filled to its end, with gaps, is a preamble padded by a spreadsheet.
  const firstFull = candidates.find(({ cells }) => cells.every((cell) => cell.trim() !== ''));
  const row =
    firstFull && holdsNames(firstFull.cells) ? firstFull : (candidates.find(isNotPadded) ?? candidates[0]);
  if (!row) return undefined;
  return { line: row.firstLine, names: row.cells, looksLikeHeader: holdsNames(row.cells) };
}

/** Padding leaves most cells of a row empty. */
function isNotPadded({ cells }: LooseRow): boolean {
  return cells.length === 1 || cells.filter((cell) => cell.trim() !== '').length * 2 > cells.length;
}

function holdsNames(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return names.length * 4 >= cells.length * 3 && names.every(isName);
}

function isName(cell: string): boolean {
  if (cell.length > LONGEST_NAME || numberShape(cell) !== undefined) return false;
  return !DATE_FORMATS.some((format) => fitsFormat(cell, format));
}
