import { expect, test } from 'vitest';
import { orderByNeeds } from '../../../../src/cli/mapping/language/field-order.ts';

test.each<readonly [Readonly<Record<string, readonly string[]>>, readonly string[], readonly string[]]>([
  [{}, [], []],
  [{ a: [], b: [] }, ['a', 'b'], []],
  [{ a: ['b'], b: ['c'], c: [] }, ['c', 'b', 'a'], []],
  [{ a: ['b', 'c'], b: [], c: ['b'] }, ['b', 'c', 'a'], []],
  // A need that is no name counts as met.
  [{ a: ['elsewhere'] }, ['a'], []],
  [{ a: ['a'], b: [] }, ['b'], ['a']],
  [{ a: ['b'], b: ['a'], c: ['a'], d: [] }, ['d'], ['a', 'b', 'c']],
])('names with the needs %j have the order %j and the circle %j', (needs, order, circle) => {
  expect(orderByNeeds(Object.keys(needs), (name) => needs[name]!)).toEqual({ order, circle });
});
