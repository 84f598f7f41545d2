import { expect, test } from 'vitest';
import { isQuickPattern, longestTried } from '../../../src/core/operator/pattern-work.ts';

test.each([
  String.raw`^[A-Z]{3}-\d+$`,
  String.raw`^\d+(\.\d{1,2})?$`,
  '^(A|B)$',
  '^A|B$',
  String.raw`\.(pdf|PDF|png|jpg)$`,
  String.raw`^-?\d{0,10}(?:\.\d{0,10})?$`,
  '^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
  '^(?:[A-Z]{2})+$',
  String.raw`^\p{Lu}\u{41}[(+*|\]]+\(\+\*$`,
  String.raw`^(?<name>a{1,3})\d*$`,
  '^[^@]+@[^@]+?$',
  '^(?=a)a$',
  '^(?!a)b$',
  '(?<=a)b',
  String.raw`^1(?=\d{6}$)`,
  '^A,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*$',
  String.raw`\s*\(.*?\)\s*`,
  '',
])('%s is quick', (pattern) => {
  expect(new RegExp(pattern, 'u')).toBeInstanceOf(RegExp);
  expect(isQuickPattern(pattern)).toBe(true);
});

test.each([
  '^(a+)+$',
  '^(a*)*$',
  '^(?:a|aa)+$',
  '^(a|a){2,40}$',
  '^(a|a){40}$',
  '^(a?){30,}$',
  '^(?<name>a{1,2})*$',
  String.raw`^([a-z\]]+\s?)*$`,
  '^((ab+)c)+?$',
  String.raw`^(a)\1$`,
  String.raw`^(?<x>a)\k<x>$`,
  '^(?=(a+)+$)a',
  '(?<=(a|aa)+)b',
  '.*.*.*x',
  '^[^,]*,?[^,]*,?[^,]*,?[^,]*,?x',
  `^${'a?'.repeat(40)}${'a'.repeat(40)}$`,
])('%s may take too long', (pattern) => {
  expect(new RegExp(pattern, 'u')).toBeInstanceOf(RegExp);
  expect(isQuickPattern(pattern)).toBe(false);
});

test('a pattern with fewer choices is tried on longer texts', () => {
  expect(longestTried('^(A|B)$')).toBe(2 ** 24);
  expect(longestTried('^[^<>]*$')).toBe(2 ** 24);
  expect(longestTried('^.*,.*,$')).toBe(2 ** 12);
  expect(longestTried('^.*,.*,.*,$')).toBe(256);
});
