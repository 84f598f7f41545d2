import { describe, expect, test } from 'vitest';
import type { FieldRules } from '../../../src/core/operator/contract.ts';
import {
  deprecatedPhrase,
  digitsPhrase,
  listed,
  phrasesOf,
  querySays,
  valuesPhrase,
} from '../../../src/core/operator/words.ts';

const nine = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'];

test.each<[Omit<FieldRules, 'from'>, readonly string[]]>([
  [{}, []],
  [{ absent: true }, ['not a field here']],
  [{ adds: 'text', required: true }, ['text', 'required']],
  [{ adds: 'decimal' }, ['decimal']],
  [{ adds: 'boolean' }, ['true or false']],
  [{ adds: 'date' }, ['date']],
  [{ adds: 'datetime' }, ['date-time']],
  [{ adds: 'object' }, ['object']],
  [{ adds: 'list' }, ['list']],
  [{ adds: 'json' }, ['any JSON value']],
  [{ null: true }, ['may be null']],
  [{ null: false }, ['never null']],
  [{ values: ['A', ''] }, ['one of 2 values: A, the empty text']],
  [{ min_length: 0 }, ['at least 0 characters']],
  [{ min_length: 1 }, ['not empty']],
  [{ min_length: 2 }, ['at least 2 characters']],
  [{ max_length: 5 }, ['at most 5 characters']],
  [{ min_length: 2, max_length: 5 }, ['2 to 5 characters']],
  [{ min_length: 5, max_length: 5 }, ['5 characters']],
  [{ digits: { whole: 5, places: 2 } }, ['at most 5 digits before the point and 2 decimals']],
  [{ minimum: '1', maximum: '9' }, ['at least 1', 'at most 9']],
  [{ above: '0', below: '10' }, ['greater than 0', 'less than 10']],
  [{ patterns: ['^A', 'B$'] }, ['matches `^A`', 'matches `B$`']],
  [{ min_items: 0 }, ['at least 0 items']],
  [{ max_items: 3 }, ['at most 3 items']],
  [{ min_items: 1, max_items: 3 }, ['1 to 3 items']],
  [{ min_items: 3, max_items: 3 }, ['exactly 3 items']],
  [
    { types: { by: 'kind', of: { A: { from: '' }, B: { from: '' } } } },
    ['its fields depend on `kind` (A, B)'],
  ],
  [{ others: 'any' }, ['further fields pass']],
  [
    { others: { from: '', adds: 'text', max_length: 5 } },
    ['further fields pass: text, at most 5 characters'],
  ],
  [{ wire: 'string' }, ['sent as a string']],
  [{ or: { from: '', adds: 'decimal', above: '0', wire: 'number' } }, ['or a decimal, greater than 0']],
  [{ deprecated: {} }, ['deprecated']],
  [{ deprecated: { instead: 'other' } }, ['deprecated: use `other` instead']],
])('the rules %j say %j', (rules, phrases) => {
  expect(phrasesOf({ from: '/x', ...rules })).toEqual(phrases);
});

describe('a list of values', () => {
  test('of one value is the only one, even where it is empty', () => {
    expect(valuesPhrase(['A'])).toBe('only A');
    expect(valuesPhrase([''])).toBe('only the empty text');
  });

  test('shows eight, and counts the others', () => {
    expect(listed(nine.slice(0, 8))).toBe('A, B, C, D, E, F, G, H');
    expect(listed(nine)).toBe('A, B, C, D, E, F, G, H, and 1 more');
    expect(valuesPhrase(nine)).toBe('one of 9 values: A, B, C, D, E, F, G, H, and 1 more');
    expect(listed(nine, 2)).toBe('A, B, and 7 more');
  });
});

test.each([
  [{ whole: 5 }, 'at most 5 digits before the point'],
  [{ places: 3 }, 'at most 3 decimals'],
  [{ places: 0 }, 'no decimals'],
  [{ whole: 5, places: 0 }, 'at most 5 digits before the point and no decimals'],
])('digits %j are %j', (digits, phrase) => {
  expect(digitsPhrase(digits)).toBe(phrase);
});

test('a deprecated field names its successor where the operator does', () => {
  expect(deprecatedPhrase({})).toBe('deprecated');
  expect(deprecatedPhrase({ instead: 'other' })).toBe('deprecated: use `other` instead');
});

test.each([
  [false, true, 'is false by default, and true in the interface'],
  [true, false, 'is true by default, and false in the interface'],
  [true, true, 'is required'],
])('a query parameter that is %s by default, and %s in the interface', (byDefault, own, why) => {
  expect(querySays('check', byDefault, own)).toBe(
    `the query parameter \`check\` ${why}: every push says what it means`,
  );
});
