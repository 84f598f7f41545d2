/** Cells by column name. A missing column is an empty cell, which leaves the field out. */
export type Row = Readonly<Record<string, string>>;

interface CsvStyle {
  readonly newline?: '\n' | '\r\n';
  readonly byteOrderMark?: boolean;
}

/** CSV text as in RFC 4180, with quotes only where needed and a newline after the last record. */
export function csvText(columns: readonly string[], rows: readonly Row[], style: CsvStyle = {}): string {
  const newline = style.newline ?? '\n';
  const records = [columns, ...rows.map((row) => cellsOf(row, columns))];
  const lines = records.map((cells) => cells.map(quoted).join(',') + newline);
  return (style.byteOrderMark === true ? '\uFEFF' : '') + lines.join('');
}

function cellsOf(row: Row, columns: readonly string[]): string[] {
  const stray = Object.keys(row).filter((name) => !columns.includes(name));
  if (stray.length > 0) throw new Error(`no column for ${stray.join(', ')}`);
  return columns.map((name) => row[name] ?? '');
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
