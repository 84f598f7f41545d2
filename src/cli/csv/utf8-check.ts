import { isUtf8 } from 'node:buffer';
import { Transform } from 'node:stream';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const NEWLINE = 0x0a;

/** A byte that cannot be UTF-8. */
export class Utf8Error extends Error {
  /** Zero-based offset in the file. */
  readonly byte: number;
  /** One-based physical line. */
  readonly line: number;

  constructor(byte: number, line: number) {
    super(`byte ${byte} is not UTF-8`);
    this.name = 'Utf8Error';
    this.byte = byte;
    this.line = line;
  }
}

/**
 * Passes UTF-8 through, without its byte order mark, and fails with `Utf8Error` at the first byte that is none.
 * A decoder that does not fail would turn that byte into U+FFFD and send it to the platform.
 */
export function utf8Check(): { readonly stream: Transform; readonly bomBytes: () => number } {
  let carry: Buffer = Buffer.alloc(0);
  let offset = 0;
  let line = 1;
  let bomBytes = 0;

  const check = (bytes: Buffer): void => {
    if (!isUtf8(bytes)) {
      const bad = firstBadByte(bytes);
      throw new Utf8Error(offset + bad, line + newlines(bytes.subarray(0, bad)));
    }
    line += newlines(bytes);
    offset += bytes.length;
  };

  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        const bytes = carry.length === 0 ? chunk : Buffer.concat([carry, chunk]);
        const end = bytes.length - unfinishedTail(bytes);
        const whole = bytes.subarray(0, end);
        carry = bytes.subarray(end);
        const isStart = offset === 0 && whole.length > 0;
        check(whole);
        if (isStart && whole.subarray(0, BOM.length).equals(BOM)) bomBytes = BOM.length;
        done(null, isStart ? whole.subarray(bomBytes) : whole);
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      try {
        check(carry);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
  return { stream, bomBytes: () => bomBytes };
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
