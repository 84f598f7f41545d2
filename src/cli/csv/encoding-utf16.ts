import type { ByteEncoding } from './byte-encoding.ts';

export const UTF_16LE = utf16(0);
export const UTF_16BE = utf16(1);

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
