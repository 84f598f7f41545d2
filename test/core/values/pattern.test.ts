import { expect, test } from 'vitest';
import { Pattern } from '../../../src/core/values/pattern.ts';

test.each([
  [String.raw`^\s+|\s+$`, '  a b  ', '', 'a b'],
  [String.raw`(\d+)-(\d+)`, 'a 12-34', '$2/$1 $& $$ $3', 'a 34/12 12-34 $ $3'],
  [String.raw`<br\s*/?>|</p>`, 'a<br/>b</p>', '|', 'a|b|'],
  ['a*', 'baac', 'x', 'xbxxcx'],
  ['.', '😀ä', 'x', 'xx'],
  [String.raw`\u00e4|\u{1F600}|[^]`, '😀ä', 'x', 'xx'],
  ['$', 'a\n', 'x', 'a\nx'],
])('%s replaces in %j', (pattern, text, by, result) => {
  expect(new Pattern(pattern).replace(text, by)).toBe(result);
  if (!pattern.includes('$3')) expect(text.replaceAll(new RegExp(pattern, 'gu'), by)).toBe(result);
});

test('a text of a megabyte ends under a pattern that tries every way elsewhere', () => {
  expect(new Pattern('^(a|a)*(a+)+b$').test('a'.repeat(2 ** 20))).toBe(false);
});
