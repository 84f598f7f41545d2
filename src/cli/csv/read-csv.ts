import { CsvError, parse, type Info, type Parser } from 'csv-parse';
import { failure, type Problem } from '../../core/problem.ts';
import type { SourceFile } from './source-file.ts';
import type { SourceRow } from './source-row.ts';
import { Utf8Check, type BadByte } from './utf8-check.ts';

/** Longest row in bytes; a longer one means a quotation mark that was never closed or a file that is no CSV. */
export const MAX_ROW_BYTES = 16 * 1024 * 1024;

/** What the reader yields: rows in file order and, at most once and last, why it cannot read on. */
export type ReadItem =
  | { readonly kind: 'row'; readonly row: SourceRow }
  | { readonly kind: 'unreadable'; readonly line: number; readonly problem: Problem };

/**
 * Reads comma-separated values (RFC 4180), UTF-8 with or without a byte order mark, LF or CRLF, strictly.
 * The first row is the header. Blank lines are skipped. Memory does not grow with the file.
 */
export async function* readCsv(file: SourceFile): AsyncGenerator<ReadItem> {
  const utf8 = new Utf8Check();
  const position = new Position();
  let rows: ReadItem[] = [];
  const parser = parse({
    // Ragged rows are reported row by row with the others, instead of ending the reading at the first.
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n'],
    max_record_size: MAX_ROW_BYTES,
    // Rows are taken here and not from the stream, which would drop those before an error in the same chunk.
    on_record: (cells: string[], info) => {
      rows.push({ kind: 'row', row: position.advance(cells, info, utf8.bomBytes) });
      return null;
    },
  });
  parser.resume();
  const take = (): readonly ReadItem[] => {
    const taken = rows;
    rows = [];
    return taken;
  };
  for await (const { bytes, bad } of checkedParts(file, utf8)) {
    const error = await feed(parser, bytes);
    yield* take();
    const end = error ? unreadable(error, position) : bad && notUtf8(bad);
    if (end) {
      yield end;
      return;
    }
  }
}

type UnreadableItem = Extract<ReadItem, { kind: 'unreadable' }>;

/** The bytes of the file as far as they are UTF-8; null at its end. */
async function* checkedParts(
  file: SourceFile,
  utf8: Utf8Check,
): AsyncGenerator<{ bytes: Buffer | null; bad?: BadByte | undefined }> {
  for await (const chunk of file.bytes() as AsyncIterable<Buffer>) yield utf8.accept(chunk);
  const bad = utf8.end();
  if (bad) yield { bytes: Buffer.alloc(0), bad };
  yield { bytes: null };
}

/** Resolves when the parser is through with the bytes (null: with the file), with what it objects to. */
function feed(parser: Parser, bytes: Buffer | null): Promise<Error | undefined> {
  return settled(parser, (done) => (bytes === null ? parser.end(done) : parser.write(bytes, done)));
}

/** The parser also emits its error, and does not always call back after it. */
function settled(
  parser: Parser,
  act: (done: (error?: Error | null) => void) => void,
): Promise<Error | undefined> {
  return new Promise((resolve) => {
    parser.once('error', resolve);
    act((error) => {
      if (!error) parser.removeListener('error', resolve);
      resolve(error ?? undefined);
    });
  });
}

/** Lines are counted here: the parser counts a CRLF inside quotes as two (csv-parse 7.0.3). */
class Position {
  line = 0;
  private bytes = 0;
  private emptyLines = 0;

  advance(cells: readonly string[], info: Info, bomBytes: number): SourceRow {
    const firstLine = this.nextLine(info.empty_lines);
    const row = {
      firstLine,
      lastLine: firstLine + cells.reduce((lines, cell) => lines + lineBreaks(cell), 0),
      byteStart: this.bytes,
      byteEnd: info.bytes + bomBytes,
      cells,
    };
    this.line = row.lastLine;
    this.bytes = row.byteEnd;
    this.emptyLines = info.empty_lines;
    return row;
  }

  /** The line on which the row after the last one begins. */
  nextLine(emptyLines: number): number {
    return this.line + 1 + emptyLines - this.emptyLines;
  }
}

function lineBreaks(cell: string): number {
  let count = 0;
  for (let at = cell.indexOf('\n'); at >= 0; at = cell.indexOf('\n', at + 1)) count++;
  return count;
}

function notUtf8({ line, byte }: BadByte): UnreadableItem {
  return { kind: 'unreadable', line, problem: failure('encoding_invalid', [], { byte }) };
}

/** What the parser objects to; what it throws beside that is a fault of ours. */
function unreadable(error: Error, position: Position): UnreadableItem {
  if (!(error instanceof CsvError)) throw error;
  const line = position.nextLine((error as unknown as { empty_lines?: number }).empty_lines ?? 0);
  const problem = PARSER_PROBLEMS[error.code];
  if (!problem) throw error;
  return { kind: 'unreadable', line, problem };
}

const PARSER_PROBLEMS: Readonly<Record<string, Problem>> = {
  CSV_QUOTE_NOT_CLOSED: failure('quote_not_closed', []),
  INVALID_OPENING_QUOTE: failure('quote_misplaced', []),
  CSV_INVALID_CLOSING_QUOTE: failure('quote_misplaced', []),
  CSV_MAX_RECORD_SIZE: failure('record_too_large', [], { limit: MAX_ROW_BYTES }),
};
