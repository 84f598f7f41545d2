import type { ErrorCode } from '../../core/error-codes/table.ts';
import { failure, type Problem } from '../../core/problem.ts';
import type { SourceEncoding } from './source-format.ts';

/** How many bytes of a file are looked at before it is decoded. */
export const OPENING_BYTES = 512;

const BYTE_ORDER_MARKS: readonly (readonly [SourceEncoding, Buffer])[] = [
  ['utf-8', Buffer.from('efbbbf', 'hex')],
  ['utf-16le', Buffer.from('fffe', 'hex')],
  ['utf-16be', Buffer.from('feff', 'hex')],
];

/** Kinds of files that are no text, and their problem. Workbooks are ZIP files or, before 2007, OLE files. */
const FILE_KINDS = {
  zip: 'file_is_workbook',
  ole: 'file_is_workbook',
  gzip: 'file_is_gzip',
  pdf: 'file_is_pdf',
  parquet: 'file_is_parquet',
  sqlite: 'file_is_database',
} as const satisfies Record<string, ErrorCode>;
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
  if (kind) return { bomBytes: 0, problem: failure(FILE_KINDS[kind], []) };
  const mark = BYTE_ORDER_MARKS.find(([, bom]) => startsWith(bytes, bom));
  const found = mark?.[0] ?? utf16Of(bytes);
  if (found === undefined || found === encoding)
    return { bomBytes: mark?.[1].length ?? 0, problem: undefined };
  return { bomBytes: 0, problem: failure('encoding_differs', [], { found, encoding }) };
}

/** Recognizes UTF-16 without a byte order mark. Mostly ASCII text then has zeros in every other byte and nowhere else. */
function utf16Of(bytes: Buffer): SourceEncoding | undefined {
  const pairs = Math.floor(Math.min(bytes.length, OPENING_BYTES) / 2);
  const zeros = [0, 0];
  for (let at = 0; at < pairs * 2; at++) if (bytes[at] === 0) zeros[at % 2]!++;
  const [even = 0, odd = 0] = zeros;
  if (pairs < 2 || Math.max(even, odd) * 2 <= pairs || Math.min(even, odd) > 0) return undefined;
  return odd > 0 ? 'utf-16le' : 'utf-16be';
}

/** The problem of a text that does not begin with a header; undefined when it may be one. */
export function textOpeningProblem(text: string): Problem | undefined {
  const found = TEXT_KINDS.find(([, pattern]) => pattern.test(text));
  return found && failure(found[0], []);
}

const TEXT_KINDS: readonly (readonly [ErrorCode, RegExp])[] = [
  ['file_is_html', /^\s*<(!doctype|html|\?xml)/i],
  // No header begins like this. Some databases write a name in brackets, but without a quotation mark after the bracket.
  ['file_is_json', /^\s*(\{\s*["}]|\[\s*[{["\]])/],
  ['separator_line', /^"?sep=[^\r\n]{1,2}"?[ \t]*(\r|\n|$)/i],
];

function startsWith(bytes: Buffer, beginning: Buffer): boolean {
  return bytes.subarray(0, beginning.length).equals(beginning);
}

const DELIMITERS: readonly (readonly [string, string])[] = [
  [';', '";"'],
  ['\t', String.raw`"\t"`],
  ['|', '"|"'],
  [',', '","'],
];

/**
 * The delimiter that a file may have when its whole header was read as one cell, as a mapping file writes it: the character
 * that occurs most often, or all that occur equally often, as `";" or "|"`. Undefined for any other header.
 */
export function delimiterHint(names: readonly string[]): string | undefined {
  const [only, ...others] = names;
  if (only === undefined || others.length > 0) return undefined;
  const counts = DELIMITERS.map(([character]) => only.split(character).length - 1);
  const most = Math.max(...counts);
  if (most === 0) return undefined;
  return DELIMITERS.filter((_, index) => counts[index] === most)
    .map(([, written]) => written)
    .join(' or ');
}
