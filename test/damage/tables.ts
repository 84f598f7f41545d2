import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse as parseCsv } from 'csv-parse/sync';
import { parse as parseYaml } from 'yaml';
import { projectRoot } from '../support/source-tree.ts';

const ROLES = ['account', 'id', 'date', 'amount', 'text', 'type', 'other'] as const;

/** What a column feeds. `other`: the end of a period, a net amount or a rate. */
export type Role = (typeof ROLES)[number];

/** The columns of each fixture, in the order of `ROLES`. */
export const FIXTURES: Readonly<Record<string, string>> = {
  'australian-retailer/invoices.csv': 'Account|Invoice|Posted UTC|Total inc GST|||Net1',
  'australian-retailer/notes.csv': 'Account||Local time||Comment',
  'continuation-rows/invoices.csv': 'Account|Invoice|Date|Total|||Net',
  'debit-credit/journal.csv': 'Konto|Journalnummer|Datum|Soll||Zahlart',
  'german-billing/buchungen.csv': 'Vertragskonto|Belegnummer|Buchungsdatum|Betrag|Buchungstext|Belegart',
  'german-billing/kontakte.csv': 'Vertragskonto||Datum||Text|Kanal',
  'gzip-wrong-rows/bookings.csv': 'account|id|day|amount||kind',
  'japanese-utility/seikyu.csv': 'お客様番号|請求書番号|発行日|請求金額|||対象期間（至）',
  'japanese-utility/torihiki.csv': 'お客様番号|伝票番号|計上日|金額|摘要|種別コード',
  'joined-files/contacts.csv': 'account|id|time||text',
  'joined-files/invoices.csv': 'account|invoice|issued|total||product',
  'json-lines/events.jsonl': 'account|id|posted|total||event|rate',
  'mainframe-report/ledger.txt': 'ACCOUNT|ENTRY|DATE|AMOUNT|TEXT|KIND',
  'pipe-billing/extract.txt': 'ACCT|DOC|POSTED|AMOUNT||CODE|TO',
  'query-chain/refunds.csv': 'payment|refund|paid|amount',
  'query-revisions/register.csv': 'customer|bill|issued|total',
  'query-subtraction/verkauf.csv': 'Konto|Beleg|Datum|Brutto',
  'sap-listing/listing.txt': 'VKont|Belegnr|Buch.dat.|Betrag|Text|BA',
  'spreadsheet-saved/entries.txt': 'Customer|Entry|Date|Amount|Remark|Kind',
  'uk-billing/contact-notes.csv': 'Account No||Logged||Note|BST',
  'uk-billing/ledger.csv': 'Account No|Transaction Ref|Posting Date|Amount|Narrative|Type',
  'uk-billing/statements.csv': 'Account No|Statement No|Issued|Gross|||To',
  'wide-sheet/sheet.csv': 'Account|Ref|Posted|Amount|Remark|Kind',
};

/** A fixture in UTF-8. Lines that are no rows of data are texts, and rows are lists of cells. */
export interface Table {
  readonly main: string;
  readonly resource: string;
  lines: (string[] | string)[];
  at(role: Role): number;
  readonly write: (cells: readonly string[]) => string;
  /** The other files of the folder. */
  readonly files: Record<string, string>;
}

type Lines = Pick<Table, 'lines' | 'at' | 'write'>;

/** The file as it is now. */
export const textOf = ({ lines, write }: Table): string =>
  lines.map((line) => (typeof line === 'string' ? line : write(line))).join('\n');

interface Source extends Partial<Record<'encoding' | 'delimiter' | 'type', string>> {
  readonly fixed?: readonly { readonly name?: string; readonly width?: number; readonly skip?: number }[];
  readonly tables?: Readonly<Record<string, Source>>;
}

/** Reads a fixture, whatever its encoding and its form are. */
export function tableOf(name: string): Table {
  const [folder, main] = name.split('/') as [string, string];
  const path = (file: string): string => join(projectRoot, 'fixtures', folder, file);
  const map = readFileSync(path(`${main}.map.yaml`), 'utf8');
  const { resource, source: first = {} } = parseYaml(map) as { resource: string; source?: Source };
  const source: Source = { ...first, ...Object.values(first.tables ?? {})[0] };
  const files: Record<string, string> = {
    [`${main}.map.yaml`]: map.replace(/encoding: [\w-]+(?:, |\n)? */, ''),
  };
  let content = Buffer.of();
  for (const file of readdirSync(path('')).filter((each) => /\.(?:csv|jsonl|txt|gz)$/.test(each)))
    if (file === `${main}.gz`) content = gunzipSync(readFileSync(path(file)));
    else if (file === main) content = readFileSync(path(file));
    else files[file] = readFileSync(path(file), 'latin1');
  const text = new TextDecoder(source.encoding).decode(content);
  const names = FIXTURES[name]!.split('|');
  const nameOf = (role: Role): string => names[ROLES.indexOf(role)] || '\0';
  const lines = source.fixed
    ? fixedLines(text, source.fixed, nameOf)
    : source.type
      ? jsonLines(text, nameOf)
      : csvLines(text, source.delimiter ?? ',', nameOf);
  return { main, resource, files, ...lines };
}

function csvLines(content: string, delimiter: string, nameOf: (role: Role) => string): Lines {
  const all = parseCsv(content, { delimiter, bom: true, relax_column_count: true });
  const header = all.findIndex((cells) => cells.includes(nameOf('date')));
  const at = (role: Role): number => all[header]!.indexOf(nameOf(role));
  const quoted = (cell: string): string =>
    cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const write: Table['write'] = (cells) => cells.map(quoted).join(delimiter);
  const isRow = (cells: string[], line: number): boolean =>
    line > header && cells.length === all[header]!.length && /\d/.test(cells[at('date')]!);
  return { lines: all.map((cells, line) => (isRow(cells, line) ? cells : write(cells))), at, write };
}

function fixedLines(
  content: string,
  fixed: NonNullable<Source['fixed']>,
  nameOf: (role: Role) => string,
): Lines {
  const widths = fixed.map(({ width, skip }) => width ?? skip!);
  const places = new RegExp(`^${widths.map((width) => `(.{${width}})`).join('')}`, 'u');
  return {
    lines: content.split(/\r?\n/).map((line) => (line.startsWith('D ') ? places.exec(line)!.slice(1) : line)),
    at: (role) => fixed.findIndex(({ name }) => name === nameOf(role)),
    write: (cells) => cells.map((cell, at) => cell.padEnd(widths[at]!).slice(0, widths[at])).join(''),
  };
}

/** The cells of a line are its first values of each role, and the whole line. */
function jsonLines(content: string, nameOf: (role: Role) => string): Lines {
  const valueOf = (role: Role) => new RegExp(`(?<="${nameOf(role)}":"?)[^",{}[\\]]+`);
  const cellsOf = (line: string): string[] => [
    ...ROLES.map((role) => valueOf(role).exec(line)?.[0] ?? ''),
    line,
  ];
  return {
    lines: content.split('\n').map((line) => (line.startsWith('{') ? cellsOf(line) : line)),
    at: (role) => ROLES.indexOf(role),
    write: (cells) =>
      ROLES.reduce((made, role, at) => made.replace(valueOf(role), () => cells[at]!), cells.at(-1)!),
  };
}
