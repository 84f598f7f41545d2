/** The end mark of DOS, Ctrl-Z, as a byte of UTF-8. */
const MARK = 0x1a;
const LF = 0x0a;
const CR = 0x0d;

/** Marks and line ends at the end of a text, at most; programs of DOS filled up a block of 128 bytes with marks. */
const LONGEST_BYTES = 64 * 1024;

/**
 * Leaves out the end mark of DOS with which a text ends, further marks and line ends behind it as well, however the text is
 * cut into parts. A mark that anything else follows is part of the text.
 */
export class EndMark {
  /** What may be the end, until more text shows that it is not. */
  private waiting: Buffer = Buffer.alloc(0);

  /** What is known not to be the end. */
  cut(utf8: Buffer): Buffer {
    const text = this.waiting.length === 0 ? utf8 : Buffer.concat([this.waiting, utf8]);
    let tail = text.length;
    while (tail > 0 && mayEnd(text[tail - 1]!)) tail--;
    const mark = text.indexOf(MARK, tail);
    const end = mark < 0 || text.length - mark > LONGEST_BYTES ? text.length : mark;
    this.waiting = text.subarray(end);
    return text.subarray(0, end);
  }
}

function mayEnd(byte: number): boolean {
  return byte === MARK || byte === LF || byte === CR;
}
