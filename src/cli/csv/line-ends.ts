import { failure, warning, type Problem } from '../../core/problem.ts';
import { CR, LF } from './byte-encoding.ts';

/** How a row ends: as in files of Windows, Unix and old Macs, or with the file. */
export type LineEndName = 'CRLF' | 'LF' | 'CR' | 'none';

/** Checks that all rows of a file end in the same way. Keeps the latest bytes, to look at the end of a row once it is parsed. */
export class LineEnds {
  private readonly firstLines = new Map<LineEndName, number>();
  private bytes: Buffer = Buffer.alloc(0);
  private start = 0;

  /** Length of the text so far. */
  get textBytes(): number {
    return this.start + this.bytes.length;
  }

  add(utf8: Buffer): void {
    // The parser looks some bytes ahead before it reports that a row has ended.
    const kept = this.bytes.subarray(-LOOK_BACK);
    this.start = this.textBytes - kept.length;
    this.bytes = Buffer.concat([kept, utf8]);
  }

  /** The line end before an offset in the text. */
  before(offset: number): LineEndName {
    const last = this.bytes[offset - 1 - this.start];
    if (last === CR) return 'CR';
    if (last !== LF) return 'none';
    return this.bytes[offset - 2 - this.start] === CR ? 'CRLF' : 'LF';
  }

  /**
   * The problem of the end of the row on this line, if there is one. CRLF and LF may be mixed. A CR beside them is refused,
   * because it may as well be part of a cell.
   */
  check(end: LineEndName, line: number): Problem | undefined {
    if (end === 'none' || this.firstLines.has(end)) return undefined;
    this.firstLines.set(end, line);
    if (this.firstLines.size !== 2) return undefined;
    const [first, other] = [...this.firstLines];
    const facts = { first: first![0], first_line: first![1], other: other![0], other_line: other![1] };
    return this.firstLines.has('CR')
      ? failure('newline_inconsistent', [], facts)
      : warning('newlines_mixed', [], facts);
  }
}

const LOOK_BACK = 64;
