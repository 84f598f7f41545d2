import { isUtf8 } from 'node:buffer';
import type { ByteEncoding } from './byte-encoding.ts';

/** A decoder that does not refuse what is no UTF-8 would turn it into U+FFFD and send that to the platform. */
export const UTF_8: ByteEncoding = {
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
  /** Walks character by character; the shortest beginning that is UTF-8 is the next character. */
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
