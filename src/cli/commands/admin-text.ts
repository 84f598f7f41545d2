import { escapeControl } from '../render/text.ts';
import type { AdminName } from './admin-titles.ts';

type Answer = Readonly<Record<string, unknown>>;

/** Answers that are best read as the lines that they are. */
const AS_LINES: readonly AdminName[] = ['admin ledger'];

/** Columns of the lists that have more to show than fits a line. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  accounts: ['import_supplier', 'external_account_number', 'state', 'kind', 'type', 'count', 'amount'],
  records: ['at', 'method', 'path', 'status', 'duration_ms', 'codes'],
  rules: ['rule', 'seen', 'hits', 'spent', 'name', 'authority', 'source'],
};

/** An answer for people: its values one a line, then its lists as columns. `text` is the answer as it came. */
export async function adminText(name: AdminName, answer: Answer, text: string): Promise<string> {
  if (AS_LINES.includes(name) && 'records' in answer) return text;
  const entries = Object.entries(answer);
  const values = entries.flatMap(([key, value]) =>
    isList(value) ? [] : [`${key}: ${cellOf(value) || 'none'}\n`],
  );
  const lists: string[] = [];
  for (const [key, list] of entries) if (isList(list)) lists.push(await listText(key, list));
  return [...values, ...lists].join('');
}

async function listText(title: string, list: readonly unknown[]): Promise<string> {
  const rows = list.filter((row): row is Answer => typeof row === 'object' && row !== null);
  if (rows.length === 0) return `${title}: none\n`;
  const named = Object.keys(rows[0]!);
  const columns = COLUMNS[title]?.filter((column) => named.includes(column)) ?? named;
  const { columnsText } = await import('../render/table.ts');
  const cells = rows.map((row) => columns.map((column) => cellOf(row[column])));
  return `${title}:\n${columnsText(
    [columns, ...cells],
    columns.map(() => 'left'),
  )}`;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isList(value)) return value.map(cellOf).join(', ');
  if (typeof value === 'string') return escapeControl(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  return Object.entries(value)
    .map(([key, part]) => `${key} ${cellOf(part)}`)
    .join(', ');
}
