import type { ParsedRecord } from './record-parser.ts';
import type { SourceRow } from './source-row.ts';

/**
 * Where the next row begins. Lines are counted here, because the parser counts a CRLF inside quotes as two.
 * CRLF, LF and CR end a line, as in editors; other line breaks of Unicode do not.
 */
export class Position {
  private line: number;
  private byte = 0;
  private blankLines = 0;
  /** As the parser counts them. */
  private breaks = 0;

  /** `line`: how many lines stand before the first row, blank ones not counted. */
  constructor(line: number) {
    this.line = line;
  }

  /** Moves behind a record, which ends at an offset of the file. */
  advance({ cells, blankLines, breaks }: ParsedRecord, byteEnd: number): SourceRow {
    const firstLine = this.nextLine(blankLines);
    // Looking into every cell costs 3 % of the reading, so the parser's count is asked first whether there is any.
    const isOneLine = breaks - this.breaks === 1 + blankLines - this.blankLines;
    const lastLine = isOneLine ? firstLine : firstLine + breaksIn(cells);
    const row = { firstLine, lastLine, byteStart: this.byte, byteEnd, cells };
    this.line = lastLine;
    this.byte = byteEnd;
    this.blankLines = blankLines;
    this.breaks = breaks;
    return row;
  }

  /** The line on which the row after the last one begins. */
  nextLine(blankLines: number): number {
    return this.line + 1 + blankLines - this.blankLines;
  }

  /** Where the row after the last one begins, with the blank lines before it. */
  get nextByte(): number {
    return this.byte;
  }

  /** Leaves out bytes before the first row. */
  startAt(byte: number): void {
    this.byte = byte;
  }
}

function breaksIn(cells: readonly string[]): number {
  let breaks = 0;
  for (const cell of cells) {
    if (cell.includes('\n') || cell.includes('\r')) breaks += cell.split(/\r\n|\r|\n/).length - 1;
  }
  return breaks;
}
