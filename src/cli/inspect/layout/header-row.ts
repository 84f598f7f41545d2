import { DATE_FORMATS, fitsFormat } from '../column/date-formats.ts';
import type { HeaderRow } from '../inspection.ts';
import { numberShape } from '../column/number-shape.ts';
import type { LooseRow } from './row-cutter.ts';

const LONGEST_NAME = 100;

/**
 * The header among the first rows: the first filled row of the usual width. Rows before it are preamble. Undefined when no
 * row has the width.
 */
export function headerRow(rows: readonly LooseRow[], width: number): HeaderRow | undefined {
  const candidates = rows.filter((row) => !row.isBlank && row.cells.length === width);
  // Rows with gaps above a header without gaps are a preamble that a spreadsheet has padded.
  const firstFull = candidates.find(({ cells }) => cells.every((cell) => cell.trim() !== ''));
  const most = Math.max(0, ...candidates.map(filledIn));
  const isNotPadded = (each: LooseRow): boolean => each.cells.length === 1 || filledIn(each) * 2 > most;
  const row =
    firstFull && areNames(firstFull.cells) ? firstFull : (candidates.find(isNotPadded) ?? candidates[0]);
  if (!row) return undefined;
  return { line: row.firstLine, names: row.cells, looksLikeHeader: areNames(row.cells) };
}

/** Padding leaves most cells of a row empty that other rows fill. */
const filledIn = ({ cells }: LooseRow): number => cells.filter((cell) => cell.trim() !== '').length;

/** Spreadsheets leave columns without a name at the end, and some between the others. */
function areNames(row: readonly string[]): boolean {
  const cells = row.slice(0, row.findLastIndex((cell) => cell.trim() !== '') + 1);
  const names = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return names.length > 0 && names.length * 4 >= cells.length * 3 && names.every(isName);
}

function isName(cell: string): boolean {
  if (cell.length > LONGEST_NAME || numberShape(cell) !== undefined) return false;
  return !DATE_FORMATS.some((format) => fitsFormat(cell, format));
}
