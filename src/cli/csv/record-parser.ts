import { CsvError, parse, type Info, type Parser } from 'csv-parse';
import { failure, type Problem } from '../../core/problem.ts';
import { separators, type SourceFormat } from './source-format.ts';
import { MAX_ROW_BYTES, withoutMark } from './source-row.ts';

/** A record as it was cut. */
export interface ParsedRecord {
  readonly cells: readonly string[];
  /** Offset in the text. */
  readonly end: number;
  /** Blank lines so far. */
  readonly blankLines: number;
  /** Whether a cell has a line break. */
  readonly hasBreaks: boolean;
  /** The record as it is in the text; only where escapes are other than doubled quotes. */
  readonly raw: string | undefined;
}

/** Cuts text into records with csv-parse. `feed` returns what is wrong with the text. */
export class RecordParser {
  private readonly parser: Parser;
  /** Line breaks and blank lines up to the last record. */
  private lines = 0;

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
      on_record: (given: string[] | { record: string[]; raw: string }, info: Info) => {
        const { record: cells, raw } = Array.isArray(given) ? { record: given, raw: undefined } : given;
        // The parser counts the line breaks in quotes, too, and a CRLF there as two (csv-parse 7.0.3).
        const lines = info.lines - info.empty_lines;
        const hasBreaks = lines - this.lines !== 1;
        this.lines = lines;
        if (cells[0]) cells[0] = withoutMark(cells[0]);
        onRecord({ cells, end: info.bytes, blankLines: info.empty_lines, hasBreaks, raw });
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
    const problem = error instanceof CsvError ? PARSER_PROBLEMS[error.code] : undefined;
    // Any other error is a bug of ours.
    if (error && !problem) throw error;
    return problem;
  }
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

const PARSER_PROBLEMS: Readonly<Record<string, Problem>> = {
  CSV_QUOTE_NOT_CLOSED: failure('quote_not_closed', []),
  INVALID_OPENING_QUOTE: failure('quote_misplaced', []),
  CSV_INVALID_CLOSING_QUOTE: failure('quote_misplaced', []),
  CSV_MAX_RECORD_SIZE: failure('record_too_large', [], { limit: MAX_ROW_BYTES }),
};
