import { expect, test } from 'vitest';
import { exitDocument, jsonText } from '../../../src/cli/output/json.ts';

test('JSON text cannot write to a terminal, and reads back as it was', () => {
  const document = { name: 'a\u001B[31m\u009B\u202E\u2028\uFEFF\u007F é 😀' };
  const text = jsonText(document);
  expect(text).toBe('{"name":"a\\u001b[31m\\u009b\\u202e\\u2028\\ufeff\\u007f é 😀"}');
  expect(JSON.parse(text)).toEqual(document);
});

test('both signals are called interrupted and keep the number of a shell', () => {
  expect(exitDocument('INTERRUPTED')).toEqual({ code: 130, name: 'INTERRUPTED' });
  expect(exitDocument('TERMINATED')).toEqual({ code: 143, name: 'INTERRUPTED' });
});
