import { isUtf8 } from 'node:buffer';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const NEWLINE = 0x0a;

/** Where bytes stop being UTF-8. */
export interface BadByte {
  /** Zero-based offset in the file. */
  readonly byte: number;
  /** One-based physical line. */
  readonly line: number;
}

/** Bytes that are whole UTF-8 characters, and what ended them if anything did. */
export interface CheckedBytes {
  readonly bytes: Buffer;
  readonly bad: BadByte | undefined;
}

/**
 * Lets UTF-8 through, without its byte order mark, up to the first byte that is none. A decoder that does not stop there
 * would turn that byte into U+FFFD and send it to the platform.
 */
export class Utf8Check {
  /** Length of the byte order mark that was left out. */
  bomBytes = 0;
  private carry: Buffer = Buffer.alloc(0);
  private offset = 0;
  private line = 1;

  /** Takes the next bytes of the file; a character that they begin and do not end is kept for the next call. */
  accept(chunk: Buffer): CheckedBytes {
    const bytes = this.carry.length === 0 ? chunk : Buffer.concat([this.carry, chunk]);
    const end = bytes.length - unfinishedTail(bytes);
    this.carry = bytes.subarray(end);
    return this.check(bytes.subarray(0, end));
  }

  /** Says that the file is at its end, where no character may be unfinished. */
  end(): BadByte | undefined {
    return this.check(this.carry).bad;
  }

  private check(bytes: Buffer): CheckedBytes {
    const good = isUtf8(bytes) ? bytes : bytes.subarray(0, firstBadByte(bytes));
    if (this.offset === 0 && good.subarray(0, BOM.length).equals(BOM)) this.bomBytes = BOM.length;
    const shown = this.offset === 0 ? good.subarray(this.bomBytes) : good;
    this.offset += good.length;
    this.line += newlines(good);
    const bad = good.length < bytes.length ? { byte: this.offset, line: this.line } : undefined;
    return { bytes: shown, bad };
  }
}

/** How many bytes at the end may be the beginning of a character that the next chunk completes. */
function unfinishedTail(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

/** Walks character by character; the shortest prefix that is UTF-8 is the next character. */
function firstBadByte(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length) {
    const start = at;
    const length = [1, 2, 3, 4].find((size) => isUtf8(bytes.subarray(start, start + size)));
    if (length === undefined) return at;
    at += length;
  }
  return at;
}

function newlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
