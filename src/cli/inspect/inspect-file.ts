import { CR, LF } from '../csv/byte-encoding.ts';
import type { SourceFile } from '../csv/source-file.ts';
import type { SourceEncoding } from '../csv/encodings.ts';
import { binaryKind, ByteProfile } from './bytes/byte-profile.ts';
import { delimiterCandidates, DelimiterCounter } from './layout/delimiter-profile.ts';
import { encodingFinding } from './bytes/encoding-finding.ts';
import type { FileProfile, Inspection, LayoutFinding } from './inspection.ts';
import { layoutFinding } from './layout/layout-finding.ts';
import { TableCounter } from './table/table-profile.ts';
import { LineCutter, lenientDecoder, type TextLine } from './bytes/text-lines.ts';
import { TextCounter } from './bytes/text-profile.ts';
import { keyedCells } from '../csv/key-paths.ts';
import { hasJsonLinesName, readJsonLines } from '../csv/read-json-lines.ts';
import { eachItem, type ElementPaths } from '../csv/source-row.ts';

/** The wishes of a person, and the facts that a person knows better than the file shows. */
export interface InspectionRequest {
  readonly showValues: boolean;
  readonly encoding?: SourceEncoding | undefined;
  /** One character. */
  readonly delimiter?: string | undefined;
}

/**
 * Finds out what a file is. The file is read to its end several times, because each question needs the answer to the one
 * before over the whole file: encoding, then delimiter, then columns. Memory does not grow with the file.
 */
export async function inspectFile(file: SourceFile, request: InspectionRequest): Promise<Inspection> {
  const bytes = new ByteProfile();
  for await (const chunk of chunksOf(file)) bytes.accept(chunk);
  const binary = binaryKind(bytes);
  return {
    file: file.name,
    bytes: file.fingerprint.bytes,
    sha256: file.fingerprint.sha256,
    isCompressed: file.name.endsWith('.gz'),
    binary,
    endsWithSubstitute: endsWithMark(bytes),
    content: binary === null ? await profileOf(file, bytes, request) : null,
  };
}

const SUBSTITUTE = 0x1a;

const endsWithMark = ({ lastByte }: ByteProfile): boolean => lastByte === SUBSTITUTE;

async function profileOf(
  file: SourceFile,
  bytes: ByteProfile,
  { showValues, encoding: givenEncoding, delimiter }: InspectionRequest,
): Promise<FileProfile> {
  const encoding = await encodingFinding(bytes, () => chunksOf(file), givenEncoding);
  const endsInCr = bytes.counts[LF] === 0 && bytes.counts[CR]! > 0;
  const lines = (): ReturnType<typeof linesOf> =>
    linesOf(file, encoding.name, new LineCutter(endsInCr, endsWithMark(bytes)));
  const head = await headOf(lines());
  const given = delimiter ?? null;
  const textCounter = new TextCounter();
  if (given === null && encoding.name === 'utf-8' && looksLikeJsonLines(file, head)) {
    for await (const some of lines()) for (const line of some) textCounter.accept(line);
    return {
      encoding,
      markup: null,
      text: textCounter.result(),
      ...(await jsonLinesTable(file, showValues)),
    };
  }
  const delimiters = new DelimiterCounter(given === null ? delimiterCandidates(head) : [given]);
  for await (const some of lines()) {
    for (const line of some) {
      textCounter.accept(line);
      delimiters.accept(line);
    }
  }
  const text = textCounter.result();
  const layout = layoutFinding({ given, head, profile: delimiters.result(), text });
  const table = new TableCounter(layout);
  for await (const some of lines()) for (const line of some) table.accept(line);
  return { encoding, markup: markupOf(head), text, layout, ...table.result(showValues) };
}

/** Lines in which the header is looked for, and the length of each. */
const HEAD_LINES = 200;
const HEAD_LINE_LENGTH = 1024 * 1024;

async function headOf(lines: ReturnType<typeof linesOf>): Promise<readonly TextLine[]> {
  const head: TextLine[] = [];
  for await (const some of lines) {
    for (const line of some) {
      head.push({ ...line, text: line.text.slice(0, HEAD_LINE_LENGTH) });
      if (head.length === HEAD_LINES) return head;
    }
  }
  return head;
}

/** The lines of a file, those of one chunk at a time: an await for every line would take longer than looking at it. */
async function* linesOf(
  file: SourceFile,
  encoding: SourceEncoding | null,
  cutter: LineCutter,
): AsyncGenerator<Iterable<TextLine>> {
  const decoder = lenientDecoder(encoding);
  for await (const chunk of chunksOf(file)) yield cutter.accept(decoder.decode(chunk));
  yield cutter.accept(decoder.end());
  yield cutter.end();
}

const chunksOf = (file: SourceFile): AsyncIterable<Buffer> => file.bytes() as AsyncIterable<Buffer>;

function markupOf([first]: readonly TextLine[]): FileProfile['markup'] {
  const text = first?.text ?? '';
  if (/^\s*<(!doctype html|html)/i.test(text)) return 'html';
  if (/^\s*<\?xml/i.test(text)) return 'xml';
  return /^\s*(\{\s*("|\}|$)|\[\s*([{["\]]|$))/.test(text) ? 'json' : null;
}

/** Lines that have to be objects before a file is taken for JSON Lines. */
const TELLING = 20;

/** Whether a file has JSON Lines: by its name, or because each of its first lines is one object. */
function looksLikeJsonLines(file: SourceFile, head: readonly TextLine[]): boolean {
  const lines = head.filter(({ text }) => text.trim() !== '').slice(0, TELLING);
  const isObject = ({ text }: TextLine): boolean => typeof keyedCells(text) !== 'string';
  const [first] = lines;
  if (!first || !isObject(first)) return false;
  return hasJsonLinesName(file.name) || lines.every(isObject);
}

async function jsonLinesTable(
  file: SourceFile,
  showValues: boolean,
): Promise<Pick<FileProfile, 'layout' | 'table' | 'columns'>> {
  let layout = layoutOf([], new Map());
  let table = new TableCounter(layout);
  for await (const item of eachItem(readJsonLines(file))) {
    if (item.kind === 'header') {
      layout = layoutOf(item.names, item.elements!);
      table = new TableCounter(layout);
    } else if (item.kind === 'row') table.acceptKeyed(item.row.firstLine, item.row.cells);
    else if (item.kind === 'broken') table.acceptKeyed(item.row.firstLine, null);
    else if (item.kind === 'unreadable') table.acceptKeyed(item.line, null);
  }
  return { layout, ...table.result(showValues) };
}

function layoutOf(names: readonly string[], elements: ElementPaths): LayoutFinding {
  return {
    delimiter: null,
    certainty: 'proven',
    because: 'each line is one object of JSON',
    quote: null,
    escape: null,
    candidates: [],
    width: names.length,
    header: { line: 1, names, looksLikeHeader: true },
    hasSeparatorLine: false,
    isJsonLines: true,
    lists: [...elements]
      .filter(([, keys]) => keys.size > 0)
      .map(([name, keys]) => ({ name, keys: [...keys] })),
    fixed: null,
    ruled: null,
  };
}
