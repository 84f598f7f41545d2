import type { Problem } from '../../core/problem.ts';
import { NOTHING } from './byte-encoding.ts';
import type { ParsedRecord, RecordParser } from './record-parser.ts';
import { separators, type SourceFormat } from './source-format.ts';
import { withoutMark } from './source-row.ts';

/** Bytes of an unfinished record that are looked at again with the next part of the text. */
const MOST_UNFINISHED = 256 * 1024;

/**
 * Cuts text into records. It cuts the records that can be read in one way only, three times as fast as csv-parse. The first
 * other one, and everything behind it, goes to csv-parse, which decides what it is and what is wrong with it.
 * A property test shows that the records are those of csv-parse.
 */
export class RecordSplitter {
  private readonly format: SourceFormat;
  private readonly onRecord: (record: ParsedRecord) => void;
  private parser: RecordParser | undefined;
  private isClear: boolean;
  /** The text that is not cut yet, and where it begins. */
  private rest: Buffer = NOTHING;
  private restAt = 0;
  private blank = 0;

  constructor(format: SourceFormat, onRecord: (record: ParsedRecord) => void) {
    const { delimiter, quote, escape } = separators(format);
    this.format = format;
    this.onRecord = onRecord;
    this.isClear = escape === quote && [delimiter, quote ?? ''].every(isAscii);
  }

  /** Blank lines so far, those behind the last record included. */
  get blankLines(): number {
    return this.blank + (this.parser?.blankLines ?? 0);
  }

  /** Takes the next bytes of the text (null: its end). Resolves to what is wrong with the text. */
  async feed(bytes: Buffer | null): Promise<Problem | undefined> {
    if (this.parser) return this.parser.feed(bytes);
    const isEnd = bytes === null;
    const text = this.rest.length === 0 ? (bytes ?? NOTHING) : Buffer.concat([this.rest, bytes ?? NOTHING]);
    const end = this.isClear ? this.cut(text, isEnd) : 0;
    this.rest = text.subarray(end);
    this.restAt += end;
    if (this.isClear && this.rest.length <= MOST_UNFINISHED) return undefined;
    return this.handOver(isEnd);
  }

  private async handOver(isEnd: boolean): Promise<Problem | undefined> {
    const { restAt, blank, rest } = this;
    const { RecordParser: Parser } = await import('./record-parser.ts');
    this.parser = new Parser(this.format, (record) =>
      this.onRecord({ ...record, end: restAt + record.end, blankLines: blank + record.blankLines }),
    );
    this.rest = NOTHING;
    const problem = rest.length === 0 ? undefined : await this.parser.feed(rest);
    return problem ?? (isEnd ? this.parser.feed(null) : undefined);
  }

  /** Cuts the records at the beginning of a text. Returns where the first record begins that is unfinished or not clear. */
  private cut(bytes: Buffer, isEnd: boolean): number {
    const { delimiter, quote } = separators(this.format);
    // One character for each byte. Line breaks, delimiter and quote are no part of a longer character of UTF-8.
    const text = bytes.toString('latin1');
    const ends = new RecordEnds(text, quote);
    for (let at = 0; ;) {
      const { end, isQuoted, isOpen } = ends.after(at);
      if (isOpen && isEnd) this.isClear = false;
      // A CR at the end of a part may be the first half of a CRLF.
      if (isOpen || (!isEnd && (end === text.length || (text[end] === '\r' && end + 1 === text.length))))
        return at;
      const next = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1);
      if (end > at) {
        // Each record has a text of its own: a cell that is kept keeps the text alive that it was cut from.
        const own = withoutMark(bytes.toString('utf8', at, end));
        const cells = isQuoted ? quotedCells(own, delimiter, quote!) : own.split(delimiter);
        if (!cells) {
          this.isClear = false;
          return at;
        }
        this.onRecord({
          cells,
          end: this.restAt + Math.min(next, text.length),
          blankLines: this.blank,
          hasBreaks: isQuoted && /[\r\n]/.test(own),
          raw: undefined,
        });
      } else if (end < text.length) this.blank++;
      if (next > text.length) return text.length;
      at = next;
    }
  }
}

class RecordEnds {
  private readonly text: string;
  private readonly quote: string | null;
  // The next of each, from the last place that was asked for.
  private lf = -1;
  private cr = -1;
  private quoteAt = -1;

  constructor(text: string, quote: string | null) {
    this.text = text;
    this.quote = quote;
    if (quote === null) this.quoteAt = text.length;
  }

  /** Where the record that begins at `from` ends: at a line break outside of quotes, or with the text. */
  after(from: number): { end: number; isQuoted: boolean; isOpen: boolean } {
    const { text, quote } = this;
    let isQuoted = false;
    for (let at = from; ;) {
      if (this.lf < at) this.lf = placeOf('\n', text, at);
      if (this.cr < at) this.cr = placeOf('\r', text, at);
      if (this.quoteAt < at) this.quoteAt = placeOf(quote!, text, at);
      const end = Math.min(this.lf, this.cr);
      if (this.quoteAt >= end) return { end, isQuoted, isOpen: false };
      isQuoted = true;
      const closing = text.indexOf(quote!, this.quoteAt + 1);
      if (closing < 0) return { end: text.length, isQuoted, isOpen: true };
      at = closing + 1;
    }
  }
}

/** Where a character is next; the length of the text when it is nowhere. */
function placeOf(character: string, text: string, from: number): number {
  const at = text.indexOf(character, from);
  return at < 0 ? text.length : at;
}

/** The cells of a record with quotes; undefined when a quote is at another place than around a whole cell. */
export function quotedCells(record: string, delimiter: string, quote: string): readonly string[] | undefined {
  const cells: string[] = [];
  for (let at = 0; ; at++) {
    if (record[at] === quote) {
      let closing = record.indexOf(quote, at + 1);
      const isDoubled = record[closing + 1] === quote;
      while (closing >= 0 && record[closing + 1] === quote) closing = record.indexOf(quote, closing + 2);
      if (closing < 0) return undefined;
      const cell = record.slice(at + 1, closing);
      cells.push(isDoubled ? cell.replaceAll(quote + quote, quote) : cell);
      at = closing + 1;
    } else {
      const cell = record.slice(at, placeOf(delimiter, record, at));
      if (cell.includes(quote)) return undefined;
      cells.push(cell);
      at += cell.length;
    }
    if (at === record.length) return cells;
    if (record[at] !== delimiter) {
      if (!record.startsWith(delimiter, at)) return undefined;
      at += delimiter.length - 1;
    }
  }
}

const isAscii = (separator: string): boolean => separator.length <= 1 && separator <= '\x7F';
