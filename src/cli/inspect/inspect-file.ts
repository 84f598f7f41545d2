import type { SourceFile } from '../csv/source-file.ts';
import { ByteCounter, countBetween, type ByteCensus } from './byte-census.ts';
import { DelimiterCensus } from './delimiter-census.ts';
import { legacyEvidence, unicodeEvidence, type EncodingEvidence } from './encoding-evidence.ts';
import type { BinaryKind, InspectedColumn, InspectedText, Inspection, MarkupKind } from './inspection.ts';
import { layoutEvidence, type LayoutEvidence } from './layout-evidence.ts';
import { LegacyCounter } from './legacy-census.ts';
import { TableCensus } from './table-census.ts';
import { TextCounter } from './text-census.ts';
import { LineCutter, lenientDecoder, type TextLine } from './text-lines.ts';

/**
 * Finds out what a file is. It is read to its end several times, because each question needs the answer to the one before
 * over the whole file: encoding, then delimiter, then columns. Memory does not grow with it.
 */
export async function inspectFile(file: SourceFile, showValues: boolean): Promise<Inspection> {
  const counter = new ByteCounter();
  for await (const chunk of chunksOf(file)) counter.accept(chunk);
  const census = counter.result();
  const binary = binaryKind(census);
  return {
    file: file.name,
    bytes: file.fingerprint.bytes,
    sha256: file.fingerprint.sha256,
    isCompressed: file.name.endsWith('.gz'),
    binary,
    endsWithSubstitute: census.tail.at(-1) === SUBSTITUTE,
    content: binary === null ? await inspectText(file, census, showValues) : null,
  };
}

const SUBSTITUTE = 0x1a;
const LF = 0x0a;
const CR = 0x0d;

async function inspectText(
  file: SourceFile,
  census: ByteCensus,
  showValues: boolean,
): Promise<InspectedText> {
  const encoding = await encodingOf(file, census);
  const endsInCr = census.counts[LF] === 0 && census.counts[CR]! > 0;
  const text = new TextCounter();
  const delimiters = new DelimiterCensus();
  const head: TextLine[] = [];
  for await (const lines of linesOf(file, encoding, endsInCr)) {
    for (const line of lines) {
      text.accept(line);
      delimiters.accept(line);
      if (head.length < HEAD_LINES) head.push({ ...line, text: line.text.slice(0, HEAD_LINE_LENGTH) });
    }
  }
  const layout = layoutEvidence({
    head,
    cuts: delimiters.result(),
    text: text.result(),
    backslashQuotes: delimiters.backslashQuotes.count,
    doubledQuotes: delimiters.doubledQuotes.count,
  });
  const table = new TableCensus(layout);
  for await (const lines of linesOf(file, encoding, endsInCr)) for (const line of lines) table.accept(line);
  const { columns, ...rest } = table.result();
  return {
    encoding,
    markup: markupOf(head),
    text: text.result(),
    layout,
    table: rest,
    columns: columns.map((column, at): InspectedColumn => {
      const { examples, distinct } = table.columns[at]!;
      const name = nameOf(layout, at);
      return {
        ...column,
        column: at + 1,
        name,
        examples: showValues ? examples : null,
        values: distinct.values(),
      };
    }),
  };
}

/** Lines that the header is looked for in, and how much of each. */
const HEAD_LINES = 60;
const HEAD_LINE_LENGTH = 1024 * 1024;

function nameOf({ header, delimiter }: LayoutEvidence, at: number): string | null {
  if (!header.looksLikeHeader) return null;
  return delimiter === null ? header.names.join('') : (header.names[at] ?? '');
}

async function encodingOf(file: SourceFile, census: ByteCensus): Promise<EncodingEvidence> {
  const unicode = unicodeEvidence(census);
  if (unicode) return unicode;
  const counter = new LegacyCounter();
  for await (const chunk of chunksOf(file)) counter.accept(chunk);
  return legacyEvidence(census, counter.result());
}

async function* linesOf(
  file: SourceFile,
  { name }: EncodingEvidence,
  endsInCr: boolean,
): AsyncGenerator<Iterable<TextLine>> {
  const decoder = lenientDecoder(name);
  const cutter = new LineCutter(endsInCr);
  for await (const chunk of chunksOf(file)) yield cutter.accept(decoder.decode(chunk));
  yield cutter.accept(decoder.end());
  yield cutter.end();
}

function chunksOf(file: SourceFile): AsyncIterable<Buffer> {
  return file.bytes() as AsyncIterable<Buffer>;
}

const MAGIC: readonly (readonly [BinaryKind, string])[] = [
  ['zip', 'PK\x03\x04'],
  ['zip', 'PK\x05\x06'],
  ['ole', '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1'],
  ['gzip', '\x1F\x8B'],
  ['pdf', '%PDF-'],
];

/** Null for what may be text. */
function binaryKind(census: ByteCensus): BinaryKind | null {
  if (census.bytes === 0) return 'empty';
  const head = census.head.toString('latin1');
  const magic = MAGIC.find(([, bytes]) => head.startsWith(bytes));
  if (magic) return magic[0];
  if (census.mark !== null || unicodeEvidence(census)?.name?.startsWith('utf-16')) return null;
  // Tab, line ends and 0x1A occur in texts; of all others together not even one byte in a hundred.
  const controls =
    countBetween(census.counts, 0, 8) +
    countBetween(census.counts, 14, 25) +
    countBetween(census.counts, 27, 31);
  return controls * 100 > census.bytes ? 'binary' : null;
}

function markupOf([first]: readonly TextLine[]): MarkupKind | null {
  const text = first?.text ?? '';
  if (/^\s*<(!doctype html|html)/i.test(text)) return 'html';
  if (/^\s*<\?xml/i.test(text)) return 'xml';
  return /^\s*(\{\s*("|\}|$)|\[\s*([{["\]]|$))/.test(text) ? 'json' : null;
}
