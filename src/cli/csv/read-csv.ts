import { pipeline } from 'node:stream/promises';
import { CsvError, parse, type Info } from 'csv-parse';
import { AppError } from '../../core/app-error.ts';
import { failure, type Problem } from '../../core/problem.ts';
import type { SourceFile } from './source-file.ts';
import type { SourceRow } from './source-row.ts';
import { Utf8Error, utf8Check } from './utf8-check.ts';

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
  const utf8 = utf8Check();
  const parser = parse({
    info: true,
    // Ragged rows are reported row by row with the others, instead of ending the reading at the first.
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n'],
    max_record_size: MAX_ROW_BYTES,
  });
  const position = new Position();
  const feeding = pipeline(file.bytes(), utf8.stream, parser);
  // The loop below sees the same error; without this a rejected pipeline would be unhandled.
  feeding.catch(() => undefined);
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      yield { kind: 'row', row: position.advance(record, info, utf8.bomBytes()) };
    }
    await feeding;
  } catch (error) {
    if (error instanceof AppError) throw error;
    yield { kind: 'unreadable', ...explain(error, position) };
  }
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

function explain(error: unknown, position: Position): { line: number; problem: Problem } {
  if (error instanceof Utf8Error) {
    return { line: error.line, problem: failure('encoding_invalid', [], { byte: error.byte }) };
  }
  if (!(error instanceof CsvError)) throw error;
  const line = position.nextLine((error as unknown as { empty_lines?: number }).empty_lines ?? 0);
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return { line, problem: failure('quote_not_closed', []) };
    case 'INVALID_OPENING_QUOTE':
    case 'CSV_INVALID_CLOSING_QUOTE':
      return { line, problem: failure('quote_misplaced', []) };
    case 'CSV_MAX_RECORD_SIZE':
      return { line, problem: failure('record_too_large', [], { limit: MAX_ROW_BYTES }) };
    default:
      throw error;
  }
}
