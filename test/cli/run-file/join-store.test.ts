import { expect, onTestFinished, test } from 'vitest';
import { openJoinStores } from '../../../src/cli/run-file/join-store.ts';

test('rows are given by their key, in their order, and those never asked for are left', () => {
  const { make, close } = openJoinStores();
  onTestFinished(close);
  const store = make();
  store.add('["a"]', { line: 2, cells: ['a', '1'] });
  store.add('["b"]', { line: 3, cells: ['b', '"2"'] });
  store.add('["a"]', { line: 4, cells: ['a', '3'] });
  expect(store.take('["a"]').map(({ line }) => line)).toEqual([2, 4]);
  expect(store.take('["c"]')).toEqual([]);
  expect([...store.left()]).toEqual([{ line: 3, cells: ['b', '"2"'] }]);
  // A second record with the same key has the same rows.
  expect(store.take('["a"]').map(({ cells }) => cells[1])).toEqual(['1', '3']);
});

test('stores do not see each other', () => {
  const { make, close } = openJoinStores();
  onTestFinished(close);
  const [one, other] = [make(), make()];
  one.add('k', { line: 2, cells: [] });
  expect(other.take('k')).toEqual([]);
  expect([...one.left()]).toHaveLength(1);
});

test('more rows than are written at once are all there', () => {
  const { make, close } = openJoinStores();
  onTestFinished(close);
  const store = make();
  for (let line = 1; line <= 12_001; line++) store.add(String(line % 2), { line, cells: [] });
  expect(store.take('1')).toHaveLength(6_001);
  expect([...store.left()]).toHaveLength(6_000);
});
