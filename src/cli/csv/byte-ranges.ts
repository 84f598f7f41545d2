import { CR, LF } from './byte-encoding.ts';

/** Bytes from `start` up to but not including `end`. */
export type ByteRange = { readonly start: number; readonly end: number };

/** Cuts ranges out of bytes that are read once. The ranges are in order and do not overlap. One range at a time is in memory. */
export async function* cutRanges<R extends ByteRange>(
  bytes: AsyncIterable<Buffer>,
  ranges: Iterable<R>,
): AsyncGenerator<{ range: R; bytes: Buffer }> {
  const wanted = ranges[Symbol.iterator]();
  let next = wanted.next();
  let parts: Buffer[] = [];
  let at = 0;
  for await (const chunk of bytes) {
    const chunkEnd = at + chunk.length;
    while (!next.done) {
      const { start, end } = next.value;
      const from = Math.max(start, at);
      if (from < Math.min(end, chunkEnd)) {
        parts.push(chunk.subarray(from - at, Math.min(end, chunkEnd) - at));
      }
      if (end > chunkEnd) break;
      yield { range: next.value, bytes: Buffer.concat(parts) };
      parts = [];
      next = wanted.next();
    }
    at = chunkEnd;
  }
}

/** The bytes of a row without the blank lines before it, in any encoding. */
export function withoutBlankLines(bytes: Buffer): Buffer {
  const layout = layoutOf(bytes);
  let at = 0;
  while (isLineEnd(asciiAt(bytes, at, layout))) at += layout.unit;
  return bytes.subarray(at);
}

/** How many bytes a character of ASCII takes, and which of them has it. */
type Layout = { readonly unit: 1 | 2; readonly low: 0 | 1 };

/** Bytes by which the layout is recognized. */
const LOOKED_AT = 512;

/** Recognizes characters of two bytes by the zeros in those of ASCII. In other encodings a zero must not occur. */
function layoutOf(bytes: Buffer): Layout {
  const zeros: [number, number] = [0, 0];
  bytes.subarray(0, LOOKED_AT).forEach((byte, at) => {
    if (byte === 0) zeros[at % 2 === 0 ? 0 : 1]++;
  });
  if (zeros[0] + zeros[1] === 0) return { unit: 1, low: 0 };
  return { unit: 2, low: zeros[0] > zeros[1] ? 1 : 0 };
}

/** The byte of a character of ASCII; undefined for any other character, and behind the end. */
function asciiAt(bytes: Buffer, at: number, { unit, low }: Layout): number | undefined {
  return unit === 2 && bytes[at + 1 - low] !== 0 ? undefined : bytes[at + low];
}

const isLineEnd = (byte: number | undefined): boolean => byte === LF || byte === CR;
