import { CR, LF } from './byte-encoding.ts';

/** The end mark of DOS, Ctrl-Z, as a byte of UTF-8. */
const END_MARK = 0x1a;

/** Marks and line ends at the end of a text, at most. Programs of DOS filled up a block of 128 bytes with marks. */
const LONGEST_END_BYTES = 64 * 1024;

/**
 * Leaves out the end mark of DOS at the end of a text, with the marks and line ends behind it, however the text is cut into
 * parts. A mark before anything else is part of the text.
 */
export class EndMark {
  /** Bytes that may be the end, until more text shows that they are not. */
  private waiting: Buffer = Buffer.alloc(0);

  /** The bytes that are certainly not the end. */
  cut(utf8: Buffer): Buffer {
    const text = this.waiting.length === 0 ? utf8 : Buffer.concat([this.waiting, utf8]);
    let tail = text.length;
    while (tail > 0 && mayEnd(text[tail - 1]!)) tail--;
    const mark = text.indexOf(END_MARK, tail);
    const end = mark < 0 || text.length - mark > LONGEST_END_BYTES ? text.length : mark;
    this.waiting = text.subarray(end);
    return text.subarray(0, end);
  }
}

const mayEnd = (byte: number): boolean => byte === END_MARK || byte === LF || byte === CR;
