import { durationText } from '../../../../src/core/values/duration-text.ts';
import { describe, expect, test } from 'vitest';
import { counted, escapeControl } from '../../../../src/cli/output/text/text.ts';

describe('text from outside cannot control a terminal', () => {
  test.each([
    ['a colour sequence', '\u001B[31mred', '\\u001b[31mred'],
    ['a title sequence with its bell', '\u001B]0;x\u0007', '\\u001b]0;x\\u0007'],
    ['an eight-bit control sequence', '\u009B2J', '\\u009b2J'],
    ['line ends and tabs', 'a\r\n\tb', 'a\\r\\n\\tb'],
    ['a mark that turns the direction of writing', 'abc\u202Etxt.exe', 'abc\\u202etxt.exe'],
    ['zero-width characters', 'a\u200Bb\u200Dc\uFEFF', 'a\\u200bb\\u200dc\\ufeff'],
    ['line and paragraph separators', 'a\u2028b\u2029', 'a\\u2028b\\u2029'],
    ['half a character', 'a\uD800b', 'a\\ud800b'],
    ['a deletion', 'a\u007F', 'a\\u007f'],
  ])('%s', (_, text, shown) => {
    expect(escapeControl(text)).toBe(shown);
  });

  test('letters of any language and whole emoji stay unchanged', () => {
    expect(escapeControl('Žluťoučký 東京 £12 😀')).toBe('Žluťoučký 東京 £12 😀');
  });
});

test.each([
  [850, '850 ms'],
  [12_000, '12 s'],
  [185_000, '3 min 5 s'],
  [7_800_000, '2 h 10 min'],
])('%d milliseconds are shown as %s', (durationMs, shown) => {
  expect(durationText(durationMs)).toBe(shown);
});

test('a count has a singular and a plural noun', () => {
  expect([counted(0, 'row'), counted(1, 'row'), counted(2, 'row')]).toEqual(['0 rows', '1 row', '2 rows']);
});
