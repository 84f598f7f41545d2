import { expect, test } from 'vitest';
import type { FieldRules } from '../../../src/core/operator/contract.ts';
import { limitChanges, ownChanges, valuesChanges } from '../../../src/core/operator/value-changes.ts';

type Rules = Omit<FieldRules, 'from'>;
const asText = (number: Rules): Rules => ({ adds: 'text', or: { from: '', ...number } });

test.each<[Rules, Rules, readonly string[], readonly string[]]>([
  [{}, { required: true }, ['tightened is required'], ['loosened is optional']],
  [{}, { null: true }, ['loosened may be null'], ['tightened is never null']],
  [{}, { null: false }, ['tightened is never null'], ['loosened may be null']],
  [{ null: false }, { null: true }, ['loosened may be null'], ['tightened is never null']],
  [{}, { values: ['A'] }, ['tightened is only A'], ['loosened may have any value']],
  [{ values: ['A', 'B'] }, { values: ['B', 'A'] }, [], []],
  [
    { values: ['A'] },
    { values: ['A', 'B', ''] },
    ['loosened takes B, the empty text, too'],
    ['tightened no longer takes B, the empty text'],
  ],
  [
    {},
    { min_length: 2 },
    ['tightened is at least 2 characters'],
    ['loosened is no longer at least 2 characters'],
  ],
  [
    { min_length: 2 },
    { min_length: 10 },
    ['tightened is at least 10 characters'],
    ['loosened is at least 2 characters'],
  ],
  [
    { max_length: 10 },
    { max_length: 9 },
    ['tightened is at most 9 characters'],
    ['loosened is at most 10 characters'],
  ],
  [{}, { min_items: 2 }, ['tightened is at least 2 items'], ['loosened is no longer at least 2 items']],
  [{ max_items: 2 }, { max_items: 3 }, ['loosened is at most 3 items'], ['tightened is at most 2 items']],
  [{ minimum: '2' }, { minimum: '10' }, ['tightened is at least 10'], ['loosened is at least 2']],
  [{ above: '0' }, { above: '1' }, ['tightened is greater than 1'], ['loosened is greater than 0']],
  [{ maximum: '9.5' }, { maximum: '10' }, ['loosened is at most 10'], ['tightened is at most 9.5']],
  [{}, { below: '1' }, ['tightened is less than 1'], ['loosened is no longer less than 1']],
  [
    {},
    { digits: { whole: 5, places: 2 } },
    ['tightened has at most 5 digits before the point', 'tightened has at most 2 decimals'],
    ['loosened may have more than 5 digits before the point', 'loosened may have more than 2 decimals'],
  ],
  [
    { digits: { places: 2 } },
    { digits: { places: 0 } },
    ['tightened has no decimals'],
    ['loosened has at most 2 decimals'],
  ],
  [
    { patterns: ['^A', 'B$'] },
    { patterns: ['^A', 'C'] },
    ['tightened matches `C`', 'loosened need not match `B$`'],
    ['tightened matches `B$`', 'loosened need not match `C`'],
  ],
  [{}, { wire: 'string' }, ['changed is sent as a string'], ['changed is sent as before contracts']],
  [{}, { others: 'any' }, ['loosened takes further fields'], ['tightened takes no further fields']],
  [
    { adds: 'text' },
    asText({ adds: 'decimal', above: '0', wire: 'number' }),
    ['loosened is a text or a decimal, greater than 0'],
    ['tightened is never a number'],
  ],
  [
    asText({ adds: 'decimal' }),
    asText({ adds: 'decimal', maximum: '5' }),
    ['changed is a text or a decimal, at most 5'],
    ['changed is a text or a decimal'],
  ],
  [
    {},
    { deprecated: { instead: 'other' } },
    ['changed is deprecated: use `other` instead'],
    ['changed is not deprecated any more'],
  ],
])('from %j to %j, and back', (before, after, there, back) => {
  const [a, b] = [before, after].map((rules) => ({ from: '', ...rules })) as [FieldRules, FieldRules];
  const changes = (from: FieldRules, to: FieldRules): readonly string[] =>
    ownChanges(from, to).map((said) => said.join(' '));
  expect(changes(a, b)).toEqual(there);
  expect(changes(b, a)).toEqual(back);
});

test('values that neither contract names have not changed', () => {
  expect(valuesChanges(undefined, undefined)).toEqual([]);
});

test.each<[number | undefined, number | undefined, string, string]>([
  [undefined, 5, 'tightened', 'tightened'],
  [5, undefined, 'loosened', 'loosened'],
  [5, 10, 'tightened', 'loosened'],
  [10, 5, 'loosened', 'tightened'],
])('a limit that was %s and is %s is %s as a least one, and %s as a most', (before, after, least, most) => {
  expect(limitChanges(before, after, 'least')).toEqual([least]);
  expect(limitChanges(before, after, 'most')).toEqual([most]);
  expect(limitChanges(before, before, 'most')).toEqual([]);
});
