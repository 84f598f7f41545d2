import { expect, test } from 'vitest';
import { cutRanges, type ByteRange } from '../../../src/cli/csv/byte-ranges.ts';

async function* chunksOf(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function cut(text: string, size: number, ranges: readonly (readonly [number, number])[]) {
  const found: string[] = [];
  const wanted = ranges.map(([start, end]): ByteRange => ({ start, end }));
  for await (const { bytes } of cutRanges(chunksOf(text, size), wanted)) found.push(bytes.toString());
  return found;
}

test.each([1, 2, 3, 5, 100])('ranges are cut out whole, in chunks of any size: %i bytes', async (size) => {
  const text = '0123456789';
  expect(await cut(text, size, [])).toEqual([]);
  expect(await cut(text, size, [[0, 10]])).toEqual([text]);
  expect(
    await cut(text, size, [
      [0, 2],
      [2, 3],
      [6, 10],
    ]),
  ).toEqual(['01', '2', '6789']);
  expect(
    await cut(text, size, [
      [0, 0],
      [9, 10],
    ]),
  ).toEqual(['', '9']);
});
