import { expect, test } from 'vitest';
import { jsonText } from '../../../src/cli/output/json.ts';
import { exitDocument } from '../../../src/cli/output/result.ts';

test('JSON text cannot control a terminal, and parses to the same value', () => {
  const document = { name: 'a\u001B[31m\u009B\u202E\u2028\uFEFF\u007F é 😀' };
  const text = jsonText(document);
  expect(text).toBe('{"name":"a\\u001b[31m\\u009b\\u202e\\u2028\\ufeff\\u007f é 😀"}');
  expect(JSON.parse(text)).toEqual(document);
});

test('both signals have the name INTERRUPTED and the number of a shell', () => {
  expect(exitDocument('INTERRUPTED')).toEqual({ code: 130, name: 'INTERRUPTED' });
  expect(exitDocument('TERMINATED')).toEqual({ code: 143, name: 'INTERRUPTED' });
});
