import { expect, onTestFinished, test } from 'vitest';
import { parseExactJson } from '../../../src/core/values/exact-json.ts';
import { openJoinStores } from '../../../src/cli/scratch/join-store.ts';

test('rows are found by their key in their order, and rows of unused keys are left', () => {
  const { make, close } = openJoinStores();
  onTestFinished(close);
  const store = make();
  store.add('["a"]', { line: 2, cells: ['a', '1'] });
  store.add('["b"]', { line: 3, cells: ['b', '"2"'] });
  store.add('["a"]', { line: 4, cells: ['a', '3'] });
  expect(store.isTaken('["a"]')).toBe(false);
  expect(store.take('["a"]').map(({ line }) => line)).toEqual([2, 4]);
  expect(store.take('["c"]')).toEqual([]);
  expect(['["a"]', '["b"]', '["c"]'].map((key) => store.isTaken(key))).toEqual([true, false, false]);
  expect([...store.left()]).toEqual([{ line: 3, cells: ['b', '"2"'] }]);
  // A second record with the same key gets the same rows.
  expect(store.take('["a"]').map(({ cells }) => cells[1])).toEqual(['1', '3']);
});

test('stores are separate', () => {
  const { make, close } = openJoinStores();
  onTestFinished(close);
  const [one, other] = [make(), make()];
  one.add('k', { line: 2, cells: [] });
  expect(other.take('k')).toEqual([]);
  expect([...one.left()]).toHaveLength(1);
});

test('a store keeps more rows than it writes at once', () => {
  const { make, close } = openJoinStores();
  onTestFinished(close);
  const store = make();
  for (let line = 1; line <= 12_001; line++) store.add(String(line % 2), { line, cells: [] });
  expect(store.take('1')).toHaveLength(6_001);
  expect([...store.left()]).toHaveLength(6_000);
});

test('rows of JSON Lines come back with their objects, and every digit of a number', () => {
  const { make, close } = openJoinStores();
  onTestFinished(close);
  const store = make();
  const texts = ['[[a', '1.10'];
  const object = parseExactJson('{"name":"[[a","amount":1.10,"large":9007199254740993}') as object;
  store.add('k', { line: 2, cells: Object.assign([...texts], { object }) });
  store.add('k', { line: 3, cells: ['[a', '2'] });
  const [first, second] = store.take('k');
  expect([...first!.cells]).toEqual(texts);
  expect(first!.cells.object).toEqual(object);
  expect(second).toEqual({ line: 3, cells: ['[a', '2'] });
});

test('nothing is stored after the end', () => {
  const { make, close } = openJoinStores();
  close();
  expect(() => make()).toThrow('not open');
});
