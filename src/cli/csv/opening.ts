import { failure, type Problem } from '../../core/problem.ts';
import type { SourceEncoding } from './encodings.ts';

/** How many bytes of a file are looked at before it is decoded. */
export const OPENING_BYTES = 512;

export const BYTE_ORDER_MARKS = [
  ['utf-8', Buffer.from('efbbbf', 'hex')],
  ['utf-16le', Buffer.from('fffe', 'hex')],
  ['utf-16be', Buffer.from('feff', 'hex')],
] as const;

const EXPORT = 'Export the data as CSV from the source system.';

export const noTable = (reason: string, remedy = EXPORT): Problem =>
  failure('file_is_no_table', [], { reason, remedy });

const WORKBOOK = noTable(
  'it is a workbook of a spreadsheet, or another packed file',
  'Open it and save the sheet as "CSV UTF-8", or type `xlsx2csv FILE | dataimport check RESOURCE -`; unpack an archive first.',
);
const WEB_PAGE = noTable('it is a web page or XML', `It may be the page of a failed download. ${EXPORT}`);

/** The problem of JSON where CSV or JSON Lines belong. */
export const JSON_DOCUMENT = noTable(
  'it is JSON, and not JSON Lines',
  "Export it again as CSV or JSON Lines; of a list, `jq -c '.[]' FILE > FILE.jsonl` makes JSON Lines.",
);

/** Kinds of files that are no text, and their problem. Workbooks are ZIP files or, before 2007, OLE files. */
export const FILE_KINDS = {
  zip: WORKBOOK,
  ole: WORKBOOK,
  gzip: noTable(
    'it is packed with gzip',
    'Give it a name that ends in `.gz`, which is unpacked while it is read, or unpack it first (standard input: `gunzip -c`).',
  ),
  pdf: noTable('it is a PDF'),
  parquet: noTable(
    'it is Parquet',
    'Type `duckdb -csv -c "SELECT * FROM \'FILE\'" | dataimport check RESOURCE -`, or export it as CSV.',
  ),
  sqlite: noTable(
    'it is a database of SQLite',
    'Type `sqlite3 -header -csv FILE "SELECT * FROM TABLE" | dataimport check RESOURCE -`.',
  ),
} satisfies Record<string, Problem>;
export type FileKind = keyof typeof FILE_KINDS;

const MAGIC: readonly (readonly [FileKind, Buffer])[] = [
  ['zip', Buffer.from('PK\x03\x04')],
  ['zip', Buffer.from('PK\x05\x06')],
  ['ole', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
  ['gzip', Buffer.from('1f8b', 'hex')],
  ['pdf', Buffer.from('%PDF-')],
  ['parquet', Buffer.from('PAR1\x15')],
  ['sqlite', Buffer.from('SQLite format 3\0')],
];

/** The kind of a file that is no text, by its first bytes; undefined for any other file. */
export function fileKindOf(bytes: Buffer): FileKind | undefined {
  return MAGIC.find(([, magic]) => startsWith(bytes, magic))?.[0];
}

/** Whether the first bytes of a file contradict an encoding, and how many of them are a byte order mark. */
export function openingOf(
  bytes: Buffer,
  encoding: SourceEncoding,
): { bomBytes: number; problem: Problem | undefined } {
  const kind = fileKindOf(bytes);
  if (kind) return { bomBytes: 0, problem: FILE_KINDS[kind] };
  const mark = BYTE_ORDER_MARKS.find(([, bom]) => startsWith(bytes, bom));
  const found = mark?.[0] ?? utf16Of(bytes);
  if (found !== undefined && found !== encoding)
    return { bomBytes: 0, problem: failure('encoding_differs', [], { found, encoding }) };
  // A program that adds a mark may find one there already.
  let bomBytes = 0;
  while (mark && startsWith(bytes.subarray(bomBytes), mark[1])) bomBytes += mark[1].length;
  return { bomBytes, problem: undefined };
}

/** Recognizes UTF-16 without a byte order mark. Mostly ASCII text then has zeros in every other byte and nowhere else. */
export function utf16Of(bytes: Buffer): SourceEncoding | undefined {
  const pairs = Math.floor(Math.min(bytes.length, OPENING_BYTES) / 2);
  const zeros = [0, 0];
  for (let at = 0; at < pairs * 2; at++) if (bytes[at] === 0) zeros[at % 2]!++;
  const [even = 0, odd = 0] = zeros;
  if (pairs < 2 || Math.max(even, odd) * 2 <= pairs || Math.min(even, odd) > 0) return undefined;
  return odd > 0 ? 'utf-16le' : 'utf-16be';
}

/** The problem of a text that does not begin with a header; undefined when it may be one. */
export function textOpeningProblem(text: string): Problem | undefined {
  return TEXT_KINDS.find(([, pattern]) => pattern.test(text))?.[0];
}

const TEXT_KINDS: readonly (readonly [Problem, RegExp])[] = [
  [WEB_PAGE, /^\s*<(!doctype|html|\?xml)/i],
  // No header begins like this. Some databases write a name in brackets, but without a quotation mark after the bracket.
  [JSON_DOCUMENT, /^\s*(\{\s*["}]|\[\s*[{["\]])/],
  [failure('separator_line', []), /^"?sep=[^\r\n]{1,2}"?[ \t]*(\r|\n|$)/i],
];

function startsWith(bytes: Buffer, beginning: Buffer): boolean {
  return bytes.subarray(0, beginning.length).equals(beginning);
}

/** The characters that programs write between cells. */
export const DELIMITERS = [';', '\t', '|', ','];

/**
 * The delimiter that a file may have when its whole header was read as one cell, as a mapping file writes it: the character
 * that occurs most often, or all that occur equally often, as `";" or "|"`. Undefined for any other header.
 */
export function delimiterHint(names: readonly string[]): string | undefined {
  const [only, ...others] = names;
  if (only === undefined || others.length > 0) return undefined;
  const counts = DELIMITERS.map((character) => only.split(character).length - 1);
  const most = Math.max(...counts);
  if (most === 0) return undefined;
  return DELIMITERS.filter((_, index) => counts[index] === most)
    .map((character) => JSON.stringify(character))
    .join(' or ');
}
