import { expect, test } from 'vitest';
import { addedByName, total } from '../../../src/core/values/counts.ts';

test('a total is the sum of the counts of its parts', () => {
  expect(total([{ rows: 2 }, { rows: 0 }, { rows: 5 }], ({ rows }) => rows)).toBe(7);
  expect(total([], () => 1)).toBe(0);
});

test('counts are added name by name, in the order in which the names come first', () => {
  const sums = addedByName<Record<string, number>>([
    { read: 3, created: 1 },
    { read: 2, rejected: 4 },
  ]);
  expect(Object.entries(sums)).toEqual([
    ['read', 5],
    ['created', 1],
    ['rejected', 4],
  ]);
});
