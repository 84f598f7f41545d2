import type { ParsedRecord } from './record-parser.ts';
import type { SourceRow } from './source-row.ts';

/** Where the next row begins. CRLF, LF and CR end a line, as in editors; other line breaks of Unicode do not. */
export class RowPosition {
  /** Where the row after the last one begins, with the blank lines before it. */
  byte = 0;
  private line = 0;
  private blankLines = 0;

  /** Moves behind a record that ends at an offset of the file. */
  advance({ cells, blankLines, hasBreaks }: ParsedRecord, byteEnd: number): SourceRow {
    const firstLine = this.nextLine(blankLines);
    const lastLine = hasBreaks ? firstLine + breaksIn(cells) : firstLine;
    const row = { firstLine, lastLine, byteStart: this.byte, byteEnd, cells };
    this.line = lastLine;
    this.byte = byteEnd;
    this.blankLines = blankLines;
    return row;
  }

  /** The line on which the row after the last one begins. */
  nextLine(blankLines: number): number {
    return this.line + 1 + blankLines - this.blankLines;
  }

  /** Leaves out bytes and lines before the first row. Blank lines of the parser are not counted among them. */
  startAt(byte: number, line: number): void {
    this.byte = byte;
    this.line = line;
  }
}

const breaksIn = (cells: readonly string[]): number =>
  cells.reduce((breaks, cell) => breaks + cell.split(/\r\n|\r|\n/).length - 1, 0);

/**
 * The way back from offsets in decoded text (UTF-8) to offsets in the file, for offsets that only grow. Keeps the offsets at
 * which text and file stop growing alike: none for plain ASCII, one for each other line.
 */
export class OffsetMap {
  private readonly unit: number;
  private readonly marks: { text: number; source: number }[];
  private head = 0;

  /** `unit`: bytes of the file for a character of ASCII; `start`: where in the file the text begins. */
  constructor(unit: number, start: number) {
    this.unit = unit;
    this.marks = [{ text: 0, source: start }];
  }

  /** Notes that the text up to `text` came from the file up to `source`. */
  mark(text: number, source: number): void {
    const last = this.marks.at(-1)!;
    if ((text - last.text) * this.unit !== source - last.source) this.marks.push({ text, source });
  }

  /** The offset in the file of a marked offset, which must not be before the last one that was asked for. */
  sourceOf(text: number): number {
    while (this.head + 1 < this.marks.length && this.marks[this.head + 1]!.text <= text) this.head++;
    if (this.head >= DROP_AT) {
      this.marks.splice(0, this.head);
      this.head = 0;
    }
    const { text: from, source } = this.marks[this.head]!;
    return source + (text - from) * this.unit;
  }
}

/** Offsets that were passed before they are dropped. */
const DROP_AT = 4096;
