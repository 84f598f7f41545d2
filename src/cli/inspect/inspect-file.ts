import type { SourceFile } from '../csv/source-file.ts';
import type { SourceEncoding } from '../csv/source-format.ts';
import { binaryKind } from './binary-kind.ts';
import { ByteCounter, type ByteCensus } from './byte-census.ts';
import { delimiterCandidates } from './delimiter-candidates.ts';
import { DelimiterCensus } from './delimiter-census.ts';
import { legacyEvidence, unicodeEvidence } from './encoding-evidence.ts';
import type { EncodingEvidence } from './encoding-finding.ts';
import { givenEvidence } from './given-encoding.ts';
import type { InspectedColumn, InspectedText, Inspection, MarkupKind } from './inspection.ts';
import { layoutEvidence, type LayoutEvidence } from './layout-evidence.ts';
import { LegacyCounter } from './legacy-census.ts';
import { TableCensus } from './table-census.ts';
import { TextCounter } from './text-census.ts';
import { LineCutter, lenientDecoder, type TextLine } from './text-lines.ts';

/** What is asked for, and what a person says who knows better. */
export interface InspectionRequest {
  readonly showValues: boolean;
  readonly encoding?: SourceEncoding | undefined;
  /** One character. */
  readonly delimiter?: string | undefined;
}

/**
 * Finds out what a file is. It is read to its end several times, because each question needs the answer to the one before
 * over the whole file: encoding, then delimiter, then columns. Memory does not grow with it.
 */
export async function inspectFile(file: SourceFile, request: InspectionRequest): Promise<Inspection> {
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
    endsWithSubstitute: endsWithMark(census),
    content: binary === null ? await inspectText(file, census, request) : null,
  };
}

const SUBSTITUTE = 0x1a;

function endsWithMark({ tail }: ByteCensus): boolean {
  return tail.at(-1) === SUBSTITUTE;
}

const LF = 0x0a;
const CR = 0x0d;

async function inspectText(
  file: SourceFile,
  census: ByteCensus,
  { showValues, encoding: givenEncoding, delimiter }: InspectionRequest,
): Promise<InspectedText> {
  const given = delimiter ?? null;
  const encoding = await encodingOf(file, census, givenEncoding);
  const reading: LineReading = {
    encoding: encoding.name,
    endsInCr: census.counts[LF] === 0 && census.counts[CR]! > 0,
    hasEndMark: endsWithMark(census),
  };
  const head = await headOf(file, reading);
  const text = new TextCounter();
  const delimiters = new DelimiterCensus(given === null ? delimiterCandidates(head) : [given]);
  for await (const lines of linesOf(file, reading)) {
    for (const line of lines) {
      text.accept(line);
      delimiters.accept(line);
    }
  }
  const layout = layoutEvidence({
    given,
    head,
    cuts: delimiters.result(),
    text: text.result(),
    backslashQuotes: delimiters.backslashQuotes.count,
    doubledQuotes: delimiters.doubledQuotes.count,
  });
  const table = new TableCensus(layout);
  for await (const lines of linesOf(file, reading)) for (const line of lines) table.accept(line);
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
const HEAD_LINES = 200;
const HEAD_LINE_LENGTH = 1024 * 1024;

async function headOf(file: SourceFile, reading: LineReading): Promise<readonly TextLine[]> {
  const head: TextLine[] = [];
  for await (const lines of linesOf(file, reading)) {
    for (const line of lines) {
      head.push({ ...line, text: line.text.slice(0, HEAD_LINE_LENGTH) });
      if (head.length === HEAD_LINES) return head;
    }
  }
  return head;
}

function nameOf({ header, delimiter }: LayoutEvidence, at: number): string | null {
  if (!header.looksLikeHeader) return null;
  return delimiter === null ? header.names.join('') : (header.names[at] ?? '');
}

async function encodingOf(
  file: SourceFile,
  census: ByteCensus,
  given: SourceEncoding | undefined,
): Promise<EncodingEvidence> {
  if (given !== undefined) return givenEvidence(given, census, chunksOf(file));
  const unicode = unicodeEvidence(census);
  if (unicode) return unicode;
  const counter = new LegacyCounter();
  for await (const chunk of chunksOf(file)) counter.accept(chunk);
  return legacyEvidence(census, counter.result());
}

/** How bytes become lines. */
interface LineReading {
  readonly encoding: SourceEncoding | null;
  readonly endsInCr: boolean;
  readonly hasEndMark: boolean;
}

async function* linesOf(
  file: SourceFile,
  { encoding, endsInCr, hasEndMark }: LineReading,
): AsyncGenerator<Iterable<TextLine>> {
  const decoder = lenientDecoder(encoding);
  const cutter = new LineCutter(endsInCr, hasEndMark);
  for await (const chunk of chunksOf(file)) yield cutter.accept(decoder.decode(chunk));
  yield cutter.accept(decoder.end());
  yield cutter.end();
}

function chunksOf(file: SourceFile): AsyncIterable<Buffer> {
  return file.bytes() as AsyncIterable<Buffer>;
}

function markupOf([first]: readonly TextLine[]): MarkupKind | null {
  const text = first?.text ?? '';
  if (/^\s*<(!doctype html|html)/i.test(text)) return 'html';
  if (/^\s*<\?xml/i.test(text)) return 'xml';
  return /^\s*(\{\s*("|\}|$)|\[\s*([{["\]]|$))/.test(text) ? 'json' : null;
}
