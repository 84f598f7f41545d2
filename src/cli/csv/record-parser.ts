import { CsvError, parse, type Info, type Parser } from 'csv-parse';
import { failure, type Problem } from '../../core/problem.ts';
import type { SourceFormat } from './source-format.ts';

/** Longest row in bytes. A longer one means a quotation mark that was never closed, or a file that is no CSV. */
export const MAX_ROW_BYTES = 16 * 1024 * 1024;

/** A record as the parser cut it. */
export interface ParsedRecord {
  readonly cells: readonly string[];
  /** Offset in the text. */
  readonly end: number;
  /** Blank lines so far. */
  readonly blankLines: number;
  /** Line breaks so far as the parser counts them: those in quotes too, and a CRLF there as two (csv-parse 7.0.3). */
  readonly breaks: number;
  /** The record as it is in the text; only where escapes are other than doubled quotes. */
  readonly raw: string | undefined;
}

/** With the option `raw` the parser gives more than the cells. */
type GivenRecord = string[] | { readonly record: string[]; readonly raw: string };

/** Cuts text into records. `feed` returns what is wrong with the text. */
export class RecordParser {
  private readonly parser: Parser;

  constructor(format: SourceFormat, onRecord: (record: ParsedRecord) => void) {
    this.parser = parse({
      ...separators(format),
      // Ragged rows are reported row by row with the others. The parser would end at the first of them.
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: MAX_ROW_BYTES,
      // Escapes other than doubled quotes are checked by `hasClearEscapes`.
      raw: format.escape !== format.quote,
      // Rows are taken here and not from the stream, which would drop the rows before an error in the same chunk.
      on_record: (given: GivenRecord, info: Info) => {
        const { record: cells, raw } = Array.isArray(given) ? { record: given, raw: undefined } : given;
        onRecord({ cells, end: info.bytes, blankLines: info.empty_lines, breaks: info.lines, raw });
        return null;
      },
    });
    this.parser.resume();
  }

  /** Blank lines so far, those behind the last record included. */
  get blankLines(): number {
    return this.parser.info.empty_lines;
  }

  /** Resolves when the parser is done with the bytes (null: with the text), with what is wrong with them. */
  async feed(bytes: Buffer | null): Promise<Problem | undefined> {
    const error = await settled(this.parser, (done) =>
      bytes === null ? this.parser.end(done) : this.parser.write(bytes, done),
    );
    return error && problemOf(error);
  }
}

/** A file with fixed columns has one cell a line. Its delimiter is NUL, which never gets here. */
function separators({ fixed, delimiter, quote, escape }: SourceFormat): {
  delimiter: string;
  quote: string | null;
  escape: string | null;
} {
  if (fixed !== null) return { delimiter: '\0', quote: null, escape: null };
  return { delimiter, quote, escape: quote === null ? null : escape };
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

/** The problem behind an error of the parser. Any other error is a bug of ours and is thrown. */
function problemOf(error: Error): Problem {
  const problem = error instanceof CsvError ? PARSER_PROBLEMS[error.code] : undefined;
  if (!problem) throw error;
  return problem;
}

const PARSER_PROBLEMS: Readonly<Record<string, Problem>> = {
  CSV_QUOTE_NOT_CLOSED: failure('quote_not_closed', []),
  INVALID_OPENING_QUOTE: failure('quote_misplaced', []),
  CSV_INVALID_CLOSING_QUOTE: failure('quote_misplaced', []),
  CSV_MAX_RECORD_SIZE: failure('record_too_large', [], { limit: MAX_ROW_BYTES }),
};

/**
 * Whether every escape of a record, given as it is in the file, is in quotes and before a quote, an escape, a delimiter or a
 * line break. Programs disagree about any other escape: some keep it, some drop it, some read `\t` as a tab, and outside
 * quotes some take the delimiter behind it for text.
 */
export function hasClearEscapes(raw: string, { quote, escape, delimiter }: SourceFormat): boolean {
  const escapable = [quote, escape, delimiter, '\r', '\n'];
  let quoted = false;
  for (let at = 0; at < raw.length; at++) {
    const character = raw[at];
    if (character === escape) {
      if (!quoted) return false;
      at++;
      if (!escapable.includes(raw[at]!)) return false;
    } else if (character === quote) quoted = !quoted;
  }
  return true;
}
