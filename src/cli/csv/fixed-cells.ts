import type { FixedColumn } from './source-format.ts';

/** The names of fixed columns, without the gaps. */
export function namesOf(columns: readonly FixedColumn[]): readonly string[] {
  return columns.flatMap(({ name }) => (name === null ? [] : [name]));
}

/**
 * Cuts a line into its cells, which lose the spaces around them. Gaps are left out. Incomplete cells are left out, too, because the line
 * looks cut off, unless it may have lost the spaces at its end (`mayBeShorter`). Characters behind the last column are one more cell.
 */
export function fixedCells(
  line: string,
  columns: readonly FixedColumn[],
  mayBeShorter: boolean,
): readonly string[] {
  const characters = charactersOf(line);
  const cells: string[] = [];
  let at = 0;
  for (const { name, width } of columns) {
    const isWhole = at + width <= characters.length;
    if (name !== null && (isWhole || mayBeShorter))
      cells.push(trimmed(textOf(characters.slice(at, at + width))));
    at += width;
  }
  return at < characters.length ? [...cells, textOf(characters.slice(at))] : cells;
}

/** The places among the columns, counted from 0, that belong to no column and are not blank in a line. */
export function filledGaps(line: string, columns: readonly FixedColumn[]): readonly number[] {
  const characters = charactersOf(line);
  const filled: number[] = [];
  let from = 0;
  columns.forEach(({ name, width }, place) => {
    if (name === null && textOf(characters.slice(from, from + width)).trim() !== '') filled.push(place);
    from += width;
  });
  return filled;
}

/** Characters are code points. A line without surrogate pairs, as most are, needs no splitting. */
function charactersOf(line: string): string | readonly string[] {
  return /[\uD800-\uDBFF]/.test(line) ? [...line] : line;
}

function textOf(characters: string | readonly string[]): string {
  return typeof characters === 'string' ? characters : characters.join('');
}

function trimmed(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === ' ') end--;
  let start = 0;
  while (start < end && text[start] === ' ') start++;
  return text.slice(start, end);
}
