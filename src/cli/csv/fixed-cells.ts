import type { FixedColumn } from './source-format.ts';

/**
 * Cuts a line into its cells, which lose the spaces around them. Gaps are left out; `filledGaps` are the places of those that are not
 * blank, counted from 0. Incomplete cells are left out, too, because the line looks cut off, unless it may have lost the spaces at its
 * end (`mayBeShorter`). Characters behind the last column are one more cell.
 */
export function fixedCells(
  line: string,
  columns: readonly FixedColumn[],
  mayBeShorter: boolean,
): { cells: readonly string[]; filledGaps: readonly number[] } {
  // Characters are code points. A line without surrogate pairs, as most are, needs no splitting.
  const characters = /[\uD800-\uDBFF]/.test(line) ? [...line] : line;
  const textOf = (from: number, to?: number): string => {
    const part = characters.slice(from, to);
    return typeof part === 'string' ? part : part.join('');
  };
  const cells: string[] = [];
  const filledGaps: number[] = [];
  let at = 0;
  for (const [place, { name, width }] of columns.entries()) {
    const text = textOf(at, at + width).replaceAll(/^ +| +$/g, '');
    if (name === null && text.trim() !== '') filledGaps.push(place);
    if (name !== null && (mayBeShorter || at + width <= characters.length)) cells.push(text);
    at += width;
  }
  if (at < characters.length) cells.push(textOf(at));
  return { cells, filledGaps };
}
