import { expect, test } from 'vitest';
import { AppError } from '../../src/core/app-error.ts';
import { utf8Text } from '../../src/core/utf8-text.ts';

test('a text loses its byte order mark alone', () => {
  expect(utf8Text(Buffer.from('\uFEFFé\n'), 'a.txt')).toBe('é\n');
  expect(utf8Text(Buffer.from('é\uFEFF'), 'a.txt')).toBe('é\uFEFF');
});

test('bytes that are not UTF-8 are refused with the name of the file', () => {
  const cause = expect.any(TypeError) as Error;
  expect(() => utf8Text(Buffer.from([0x41, 0xff]), 'a.txt')).toThrow(
    expect.objectContaining({
      code: 'file_not_utf8',
      facts: { file: 'a.txt', reason: 'it is not UTF-8' },
      cause,
    }),
  );
  expect(() => utf8Text(Buffer.from([0xff]), 'a.txt')).toThrow(AppError);
});
