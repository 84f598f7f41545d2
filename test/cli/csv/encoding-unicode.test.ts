import { describe, expect, test } from 'vitest';
import { readAll } from '../../support/push-rows.ts';

/** Where reading ended and at which byte. */
async function badByteIn(content: Uint8Array, chunkBytes?: number) {
  const { end } = await readAll(content, { chunkBytes });
  return end && [end.line, end.problem.code, end.problem.facts['byte']];
}

/** A header, a good row, and then these bytes in the second cell of the third line, from byte 11 on. */
const withBytes = (...bytes: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from('a,b\n1,2\n3,x'), Buffer.from(bytes), Buffer.from('y\n5,6\n')]);
const AT = 11;

describe('bytes that are not UTF-8 are refused with their byte and line', () => {
  test.each([
    ['[C024] an apostrophe of Windows-1252', [0x92], AT],
    ['[C024] a pound sign of Latin-1', [0xa3], AT],
    ['an accented letter of Latin-1', [0xe9], AT],
    ['[C027] an overlong form', [0xc0, 0xaf], AT],
    ['an overlong form of three bytes', [0xe0, 0x80, 0xaf], AT],
    ['[C027] half of a surrogate pair (CESU-8)', [0xed, 0xa0, 0x80], AT],
    ['[C027] a form of five bytes', [0xf8, 0x88, 0x80, 0x80, 0x80], AT],
    ['a character beyond Unicode', [0xf4, 0x90, 0x80, 0x80], AT],
    ['a continuation alone', [0x80], AT],
    ['four continuations', [0x80, 0x80, 0x80, 0x80], AT],
    ['a character cut short', [0xe2, 0x82], AT],
    ['a byte that never occurs', [0xff], AT],
    ['[C032] a good character and then a bad byte', [0xe2, 0x82, 0xac, 0x92], AT + 3],
  ])('%s', async (_, bytes, at) => {
    const content = withBytes(...bytes);
    expect(await badByteIn(content)).toEqual([3, 'encoding_invalid', at]);
    for (let chunk = 1; chunk <= content.length; chunk++) {
      expect(await badByteIn(content, chunk)).toEqual([3, 'encoding_invalid', at]);
    }
  });

  test.each([
    ['at the very beginning', Buffer.from([0xff, 0x61, 0x0a]), [1, 'encoding_invalid', 0]],
    ['at the very end', Buffer.from([0x61, 0x0a, 0x92]), [2, 'encoding_invalid', 2]],
    ['cut off by the end', Buffer.from([0x61, 0x0a, 0x62, 0xe2, 0x82]), [2, 'encoding_invalid', 3]],
    ['a byte order mark cut short', Buffer.from([0xef, 0xbb]), [1, 'encoding_invalid', 0]],
    [
      'on a line after line breaks in quotes',
      Buffer.concat([Buffer.from('a\n"x\r\ny"\n\n'), Buffer.from([0x92])]),
      [5, 'encoding_invalid', 10],
    ],
  ])('%s', async (_, content, expected) => {
    expect(await badByteIn(content)).toEqual(expected);
    for (const chunk of [1, 2, 3]) expect(await badByteIn(content, chunk)).toEqual(expected);
  });

  test('[C025] in the last row of a long file', async () => {
    const good = `a,b\n${'1,2\n'.repeat(100_000)}`;
    const content = Buffer.concat([Buffer.from(good), Buffer.from([0x92])]);
    expect(await badByteIn(content)).toEqual([100_002, 'encoding_invalid', good.length]);
  });

  test('after the rows before it, in chunks of any size', async () => {
    const content = withBytes(0x92);
    for (const chunk of [undefined, 1, 2, 5, 9]) {
      const { rows } = await readAll(content, { chunkBytes: chunk });
      expect(rows.map(({ cells }) => cells)).toEqual([['1', '2']]);
    }
  });
});

test.each([0, 1, 2, 3, 4])(
  '[C026] a character is read whole across the edge of two chunks of a file stream, %i bytes before it',
  async (before) => {
    const start = 'a\n';
    const cell = `${'x'.repeat(256 * 1024 - start.length - before)}😀€é`;
    const { rows } = await readAll(`${start}${cell}\n`);
    expect(rows[0]!.cells).toEqual([cell]);
  },
);

test('[C030, C031] text that was damaged before, but is UTF-8, stays as it is', async () => {
  const { rows } = await readAll('a\n\uFFFD\nÂ£5\ne\u0301\u202E\n');
  expect(rows.map(({ cells }) => cells[0])).toEqual(['\uFFFD', 'Â£5', 'e\u0301\u202E']);
});
