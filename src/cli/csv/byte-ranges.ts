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
