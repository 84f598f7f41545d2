import stringWidth from 'fast-string-width';

/**
 * Columns without lines, indented by two blanks, as wide as their widest cell on a terminal. The caller escapes the cells.
 * The time grows with the number of rows only, so a list of every account is shown as well.
 */
export function columnsText(
  rows: readonly (readonly string[])[],
  aligns: readonly ('left' | 'right')[],
): string {
  const widths = rows.map((row) => row.map((cell) => stringWidth(cell)));
  const widest = aligns.map((_, column) => widths.reduce((most, row) => Math.max(most, row[column] ?? 0), 0));
  const lines = rows.map((row, index) =>
    row.map((cell, column) => {
      const blanks = ' '.repeat(widest[column]! - widths[index]![column]!);
      return `  ${aligns[column] === 'right' ? blanks + cell : cell + blanks}`;
    }),
  );
  return lines.map((cells) => `${cells.join('').trimEnd()}\n`).join('');
}
