import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { columnsText } from '../output/text/table.ts';
import { escapeControl } from '../output/text/text.ts';

/** What the admin API of a local platform answered. */
export type AdminResult = { readonly answer: Answer };

export const shownAdmin = shownAs<AdminResult>({
  document: ({ answer }, exit) => ({ version: 1, exit: exitDocument(exit), ...answer }),
  text: ({ answer }) => answerText(answer),
});

type Answer = Readonly<Record<string, unknown>>;

/** Columns of the lists whose records have more fields than fit a line. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  accounts: ['import_supplier', 'external_account_number', 'state', 'kind', 'type', 'count', 'amount'],
  records: ['at', 'method', 'path', 'status', 'duration_ms', 'codes'],
  rules: ['rule', 'seen', 'hits', 'spent', 'name', 'authority', 'source'],
};

/** An answer for people: its single values one a line, then its lists as columns. */
function answerText(answer: Answer): string {
  const entries = Object.entries(answer);
  const values = entries.flatMap(([key, value]) =>
    isList(value) ? [] : [`${key}: ${cellOf(value) || 'none'}\n`],
  );
  const lists = entries.flatMap(([key, value]) => (isList(value) ? [listText(key, value)] : []));
  return [...values, ...lists].join('');
}

function listText(title: string, list: readonly unknown[]): string {
  const rows = list.filter((row): row is Answer => typeof row === 'object' && row !== null);
  if (rows.length === 0) return `${title}: none\n`;
  const named = Object.keys(rows[0]!);
  const columns = COLUMNS[title]?.filter((column) => named.includes(column)) ?? named;
  const cells = rows.map((row) => columns.map((column) => cellOf(row[column])));
  return `${title}:\n${columnsText(
    [columns, ...cells],
    columns.map(() => 'left'),
  )}`;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isList(value)) return value.map(cellOf).join(', ');
  if (typeof value === 'string') return escapeControl(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  return Object.entries(value)
    .map(([key, part]) => `${key} ${cellOf(part)}`)
    .join(', ');
}
