import type { SourceRow } from '../../csv/source-row.ts';
import { DateCounter } from '../column/dates.ts';
import { NumberShapes } from '../column/numbers.ts';

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
export function headerRow(rows: readonly SourceRow[], width: number): HeaderRow {
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
