import { failure, type Problem } from '../../core/problem.ts';
import { CR, LF, NOTHING } from './byte-encoding.ts';
import { quotedCells } from './record-splitter.ts';
import type { SourceFormat } from './source-format.ts';

/** Lines and bytes in which the header is looked for, and lines above it that are kept, so that they can be looked at. */
const MOST_LINES = 1_000;
const MOST_BYTES = 1024 * 1024;

/** A line above the header, or above the first row. */
export type PreambleLine = { readonly number: number; readonly text: string };

/**
 * Leaves out the lines above the header, however the text is cut into parts: a number of lines, or all lines until the header.
 */
export class Preamble {
  /** Length of the lines that were left out, in UTF-8. */
  bytes = 0;
  /** Why no line is the header. */
  problem: { line: number; problem: Problem } | undefined;
  /** Lines that were left out without a look at them, until they are taken; at most `MOST_LINES`. */
  readonly lines: PreambleLine[] = [];
  /** How many lines were left out. */
  count = 0;
  private readonly format: SourceFormat;
  /** Text that is not decided yet. */
  private waiting = NOTHING;
  /** Offset in `waiting` of the line that is looked at next, and how many lines are before it. */
  private at = 0;
  private seen = 0;
  private isOver: boolean;
  /** The line with the most names of columns so far. */
  private best = { at: 0, seen: 0, names: 0 };

  constructor(format: SourceFormat) {
    this.format = format;
    this.isOver = format.skipLines === 0 && format.untilHeader === null;
  }

  /** The next part without the preamble in it. */
  cut(utf8: Buffer): Buffer {
    if (this.isOver) return utf8;
    this.waiting = this.waiting.length === 0 ? utf8 : Buffer.concat([this.waiting, utf8]);
    return this.decide(false);
  }

  /** The rest of the text, once no more of it comes. */
  end(): Buffer {
    return this.isOver ? NOTHING : this.decide(true);
  }

  private decide(isEnd: boolean): Buffer {
    const { untilHeader, skipLines } = this.format;
    for (;;) {
      if (untilHeader === null) {
        // A format that counts its lines is done without a look at the next one.
        if (this.seen === skipLines) return this.finishAt(this.at, this.seen);
      } else if (this.seen >= MOST_LINES || this.waiting.length > MOST_BYTES) return this.giveUp();
      const line = lineAt(this.waiting, this.at, isEnd);
      if (!line) return isEnd ? this.giveUp() : NOTHING;
      if (untilHeader !== null && this.isHeader(line.text, untilHeader))
        return this.finishAt(this.at, this.seen);
      this.at = line.next;
      this.seen++;
      if (this.lines.length < MOST_LINES) this.lines.push({ number: this.seen, text: line.text });
    }
  }

  private isHeader(text: string, columns: readonly string[]): boolean {
    const cells = looseCells(text.normalize(), this.format);
    const names = columns.filter((name) => cells.includes(name.normalize())).length;
    if (names > this.best.names) this.best = { at: this.at, seen: this.seen, names };
    return names === columns.length;
  }

  /** No line is the whole header. A line with most of the names is taken for it, so that the other names can be reported. */
  private giveUp(): Buffer {
    const { untilHeader } = this.format;
    if (untilHeader === null) return this.finishAt(this.at, this.seen);
    const { at, seen, names } = this.best;
    if (names > 0 && names * 2 >= untilHeader.length) return this.finishAt(at, seen);
    const columns = untilHeader.slice(0, SHOWN).join('`, `');
    const more = untilHeader.length > SHOWN ? ' …' : '';
    const reason = `none of the first ${this.seen} lines has the columns of the mapping: \`${columns}\`${more}`;
    this.problem = { line: 1, problem: failure('skipped_lines_wrong', [], { reason }) };
    return NOTHING;
  }

  private finishAt(offset: number, count: number): Buffer {
    this.isOver = true;
    this.bytes = offset;
    this.count = count;
    this.lines.splice(count);
    const rest = this.waiting.subarray(offset);
    this.waiting = NOTHING;
    return rest;
  }
}

/** Names of columns that a message lists. */
const SHOWN = 5;

/** The line at an offset, and where the next one begins; undefined when its end is not there yet. */
function lineAt(text: Buffer, from: number, isEnd: boolean): { text: string; next: number } | undefined {
  for (let at = from; at < text.length; at++) {
    const byte = text[at]!;
    if (byte !== LF && byte !== CR) continue;
    // The LF of a CRLF belongs to the line that its CR ended, and may come with the next part.
    if (byte === CR && at + 1 === text.length && !isEnd) return undefined;
    const next = byte === CR && text[at + 1] === LF ? at + 2 : at + 1;
    return { text: text.toString('utf8', from, at), next };
  }
  return isEnd && from < text.length ? { text: text.toString('utf8', from), next: text.length } : undefined;
}

/** The cells of one line. A line of a preamble need not be cut as rows are, so nothing about it is an error. */
export function looseCells(line: string, { delimiter, quote }: SourceFormat): readonly string[] {
  const text = line.replace(/^\f+/, '');
  const cells = quote !== null && text.includes(quote) ? quotedCells(text, delimiter, quote) : undefined;
  return cells ?? text.split(delimiter);
}
