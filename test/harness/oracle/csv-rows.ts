/** The cells of a row by their headers, without empty cells. */
export type CsvRow = Readonly<Record<string, string>>;

/** Parses CSV text by RFC 4180, with a header in the first row. The generated files keep to these rules. */
export function csvRows(text: string): readonly CsvRow[] {
  const [header = [], ...rows] = cellsOf(text.replace(/^\uFEFF/, ''));
  return rows.map((cells) =>
    Object.fromEntries(
      header.flatMap((name, index) => (cells[index] === '' ? [] : [[name, cells[index]!] as const])),
    ),
  );
}

/** Matches a cell with its end: a comma, the end of the line, or the end of the text. */
const CELL = /(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r?\n|$)/y;

function cellsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (CELL.lastIndex = 0; CELL.lastIndex < text.length;) {
    const at = CELL.lastIndex;
    const match = CELL.exec(text);
    if (!match) throw new Error(`no CSV at character ${at}`);
    row.push(match[1]?.replaceAll('""', '"') ?? match[2]!);
    if (match[3] === ',' && CELL.lastIndex < text.length) continue;
    if (match[3] === ',') row.push('');
    rows.push(row);
    row = [];
  }
  return rows;
}
