import type { Problem } from '../../core/problem.ts';
import { CR, LF, wellFormed } from '../csv/byte-encoding.ts';
import { textOpeningProblem } from '../csv/opening.ts';
import type { SourceFile } from '../csv/source-file.ts';
import { ENCODINGS, type SourceEncoding } from '../csv/encodings.ts';
import { RFC_4180, type SourceFormat } from '../csv/source-format.ts';
import { ByteProfile, noText } from './bytes/byte-profile.ts';
import { encodingFinding, type EncodingFinding } from './bytes/encoding-finding.ts';
import type { ColumnProfile } from './column/column-profile.ts';
import type { FirstLines } from './layout/head-trial.ts';
import { layoutFinding, type LayoutFinding } from './layout/layout-finding.ts';
import { TableCounter } from './table/table-profile.ts';
import { keyedCells } from '../csv/key-paths.ts';
import { readCsv } from '../csv/read-csv.ts';
import { hasJsonLinesName, readJsonLines } from '../csv/read-json-lines.ts';

/** The wishes of a person, and the facts that a person knows better than the file shows. */
export interface InspectionRequest {
  readonly showValues: boolean;
  readonly encoding?: SourceEncoding | undefined;
  /** One character. */
  readonly delimiter?: string | undefined;
}

/** The result of an inspection: what a file is, and how certain that is. */
export type Inspection = Awaited<ReturnType<typeof inspectFile>>;

export interface FileProfile {
  readonly encoding: EncodingFinding;
  /** Whether the file ends in 0x1A, as DOS programs end texts. */
  readonly hasEndMark: boolean;
  readonly layout: LayoutFinding;
  readonly table: ReturnType<TableCounter['result']>['table'];
  readonly columns: readonly ColumnProfile[];
}

/**
 * Finds out what a file is. The file is read to its end several times, because each question needs the answer to the one
 * before over the whole file: encoding, then delimiter, then columns. Memory does not grow with the file.
 */
export async function inspectFile(file: SourceFile, request: InspectionRequest) {
  const bytes = new ByteProfile();
  for await (const chunk of chunksOf(file)) bytes.accept(chunk);
  const found = noText(bytes) ?? (await profileOf(file, bytes, request));
  return {
    file: file.name,
    /** Of the unpacked content, when the file is compressed. */
    bytes: file.fingerprint.bytes,
    sha256: file.fingerprint.sha256,
    /** Why the file has no rows, and how to get some; null for a table. */
    noTable: 'facts' in found ? found.facts : null,
    /** Null when the file has no rows. */
    content: 'facts' in found ? null : found,
  };
}

async function profileOf(
  file: SourceFile,
  bytes: ByteProfile,
  { showValues, encoding: givenEncoding, delimiter }: InspectionRequest,
): Promise<FileProfile | Problem> {
  const encoding = await encodingFinding(bytes, () => chunksOf(file), givenEncoding);
  const hasEndMark = bytes.lastByte === 0x1a;
  const endsInCr = bytes.counts[LF] === 0 && bytes.counts[CR]! > 0;
  const head = await headOf(file, encoding.name, endsInCr ? '\r' : '\n');
  const isJsonLines =
    delimiter === undefined && encoding.name === 'utf-8' && looksLikeJsonLines(file, head.lines);
  if (isJsonLines) return { encoding, hasEndMark, ...(await jsonLinesTable(file, showValues)) };
  const problem = textOpeningProblem(head.text);
  if (problem?.code === 'file_is_no_table') return problem;
  const layout = await layoutFinding(delimiter, head);
  const above = head.lines.slice(0, layout.header.line - 1);
  const table = new TableCounter(layout, above);
  const format = { ...formatOf(layout, hasEndMark), encoding: encoding.name };
  for await (const items of readCsv(file, format)) table.accept(items);
  return { encoding, hasEndMark, ...table.result(showValues) };
}

/** How the rows below the header are read. The header is known already. */
function formatOf({ delimiter, quote, escape, header }: LayoutFinding, endMark: boolean): SourceFormat {
  const skipLines = header.looksLikeHeader ? header.lastLine : header.line - 1;
  // Without a delimiter a line is one cell, because no text has NUL.
  return {
    ...RFC_4180,
    delimiter: delimiter ?? '\0',
    quote,
    escape,
    skipLines,
    header: [],
    endMark,
    hasNullMarks: true,
  };
}

/** Lines and bytes in which the layout is looked for. */
const HEAD_LINES = 200;
const HEAD_BYTES = 1024 * 1024;

async function headOf(file: SourceFile, encoding: SourceEncoding, lineEnd: '\r' | '\n'): Promise<FirstLines> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunksOf(file)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > HEAD_BYTES) break;
  }
  const bytes = Buffer.concat(chunks);
  const whole = bytes.subarray(0, wellFormed(bytes, ENCODINGS[encoding]));
  const text = ENCODINGS[encoding].toUtf8(whole)?.toString() ?? '';
  const lines = text.replace(/^\uFEFF+/, '').split(new RegExp(`(?<=${lineEnd})`));
  const isWhole = length <= HEAD_BYTES && lines.length <= HEAD_LINES;
  const shown = lines.slice(0, HEAD_LINES);
  return { text: shown.join(''), lines: shown.map((line) => line.replace(/[\r\n]+$/, '')), isWhole };
}

const chunksOf = (file: SourceFile): AsyncIterable<Buffer> => file.bytes() as AsyncIterable<Buffer>;

/** Lines that have to be objects before a file is taken for JSON Lines. */
const TELLING = 20;

/** Whether a file has JSON Lines: by its name and its first character, or because each of its first lines is one object. */
function looksLikeJsonLines(file: SourceFile, head: readonly string[]): boolean {
  const lines = head.filter((text) => text.trim() !== '').slice(0, TELLING);
  if (lines.length === 0 || !lines.every((text) => /^\s*\{/.test(text))) return false;
  return hasJsonLinesName(file.name) || lines.every((text) => typeof keyedCells(text) !== 'string');
}

async function jsonLinesTable(
  file: SourceFile,
  showValues: boolean,
): Promise<Pick<FileProfile, 'layout' | 'table' | 'columns'>> {
  let table = new TableCounter(layoutOf([]), []);
  for await (const items of readJsonLines(file)) {
    const header = items.find((item) => item.kind === 'header');
    if (header) table = new TableCounter(layoutOf(header.names), []);
    table.accept(items);
  }
  return table.result(showValues);
}

function layoutOf(names: readonly string[]): LayoutFinding {
  return {
    delimiter: null,
    certainty: 'proven',
    because: 'each line is one object of JSON',
    quote: null,
    escape: null,
    candidates: [],
    width: names.length,
    header: { line: 1, lastLine: 1, names, looksLikeHeader: true },
    isJsonLines: true,
    hasPlaces: false,
  };
}
