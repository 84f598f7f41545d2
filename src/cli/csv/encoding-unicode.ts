import { isUtf8 } from 'node:buffer';
import type { ByteEncoding } from './byte-encoding.ts';

/** Refuses bytes that are no UTF-8. A lenient decoder would turn them into U+FFFD and send that to the platform. */
const UTF_8: ByteEncoding = {
  unit: 1,
  low: 0,
  unfinished(bytes) {
    for (let back = 1; back <= Math.min(3, bytes.length); back++) {
      const byte = bytes[bytes.length - back]!;
      if (byte < 0x80) return 0;
      if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    }
    return 0;
  },
  toUtf8: (bytes) => (isUtf8(bytes) ? bytes : undefined),
  /** Walks character by character. The shortest beginning that is UTF-8 is the next character. */
  wellFormed(bytes) {
    let at = 0;
    while (at < bytes.length) {
      const start = at;
      const length = [1, 2, 3, 4].find((size) => isUtf8(bytes.subarray(start, start + size)));
      if (length === undefined) return at;
      at += length;
    }
    return at;
  },
};

export const UNICODE_ENCODINGS = { 'utf-8': UTF_8, 'utf-16le': utf16(0), 'utf-16be': utf16(1) };

/** Two or four bytes a character, whose low byte comes first (0) or second (1). Half of a surrogate pair is no character. */
function utf16(low: 0 | 1): ByteEncoding {
  const textOf = (bytes: Buffer): string =>
    (low === 0 ? bytes : Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16()).toString('utf16le');
  const opensPair = (bytes: Buffer, at: number): boolean => (bytes[at + 1 - low]! & 0xfc) === 0xd8;
  const closesPair = (bytes: Buffer, at: number): boolean => (bytes[at + 1 - low]! & 0xfc) === 0xdc;
  return {
    unit: 2,
    low,
    unfinished(bytes) {
      const odd = bytes.length % 2;
      const last = bytes.length - odd - 2;
      return last >= 0 && opensPair(bytes, last) ? odd + 2 : odd;
    },
    toUtf8(bytes) {
      if (bytes.length % 2 > 0) return undefined;
      const text = textOf(bytes);
      return text.isWellFormed() ? Buffer.from(text) : undefined;
    },
    wellFormed(bytes) {
      let at = 0;
      while (at + 2 <= bytes.length && !closesPair(bytes, at)) {
        if (!opensPair(bytes, at)) at += 2;
        else if (at + 4 <= bytes.length && closesPair(bytes, at + 2)) at += 4;
        else break;
      }
      return at;
    },
  };
}
