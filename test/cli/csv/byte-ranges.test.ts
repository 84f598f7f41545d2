import { describe, expect, test } from 'vitest';
import { cutRanges, withoutBlankLines, type ByteRange } from '../../../src/cli/csv/byte-ranges.ts';

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

const ENCODINGS = ['latin1', 'utf16le', 'utf16be'] as const;

function encode(text: string, encoding: (typeof ENCODINGS)[number]): Buffer {
  return encoding === 'utf16be' ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, encoding);
}

describe.each(ENCODINGS)('in %s', (encoding) => {
  test.each([
    ['a,b\r\n', 'a,b\r\n'],
    ['\n\r\n\na,b\n', 'a,b\n'],
    ['\r\ra,b\r', 'a,b\r'],
    ['\n', ''],
    ['', ''],
  ])('blank lines before a row are left out: %j', (text, rest) => {
    expect(withoutBlankLines(encode(text, encoding))).toEqual(encode(rest, encoding));
  });
});

test('a character of two bytes is no line end, although one of its bytes is', () => {
  // U+010A and U+0A41 contain the byte of a line feed.
  for (const encoding of ['utf16le', 'utf16be'] as const) {
    const row = encode('\u010a\u0a41,b,c\n', encoding);
    expect(withoutBlankLines(row)).toEqual(row);
  }
});
