import { expect, test } from 'vitest';
import type { FoundRecord, SourceRecord } from '../../../src/cli/comparison/ports.ts';
import { compareAccounts, groupsOf, merged } from '../../../src/cli/comparison/record-groups.ts';

const record = (account: string, key: string, seq = 1): SourceRecord & FoundRecord => ({
  import_supplier: 'ACME',
  external_account_number: account,
  key,
  variant: '',
  seq,
  type: null,
  amount: null,
  content: Buffer.from(key),
  source: 1,
  line: seq,
  lastLine: seq,
  byteStart: 0,
  byteEnd: 1,
  form: Buffer.alloc(0),
  checksum: 0,
  origin: 0,
});

test('records are merged in the order of SQLite, which compares bytes and not the units of JavaScript', () => {
  // U+FF21 is one unit and three bytes. The emoji is two units, which are smaller, and four bytes.
  const [wide, emoji] = [record('\uFF21', 'a'), record('😀', 'a')];
  expect([...merged([[emoji], [wide]])]).toEqual([wide, emoji]);
});

test('records of both sides meet under their account and key', () => {
  const groups = [
    ...groupsOf(
      [record('1', 'a'), record('2', 'a'), record('2', 'a', 2)],
      [record('1', 'b'), record('2', 'a')],
    ),
  ];
  const shape = groups.map(({ source, found }) => [source.length, found.length]);
  expect(shape).toEqual([
    [1, 0],
    [0, 1],
    [2, 1],
  ]);
});

test('only one group is read ahead, however many records there are', () => {
  let read = 0;
  const side = function* () {
    for (let seq = 1; seq <= 100_000; seq++) {
      read++;
      yield record('1', String(seq).padStart(6, '0'), seq);
    }
  };
  let groups = 0;
  let mostAhead = 0;
  for (const _ of groupsOf(side(), side())) {
    groups++;
    mostAhead = Math.max(mostAhead, read - 2 * groups);
  }
  expect(mostAhead).toBeLessThanOrEqual(2);
  expect(groups).toBe(100_000);
});

test('accounts are ordered by supplier, then by number', () => {
  const order = (a: string, b: string): number => {
    const [one, other] = [a, b].map((text) => text.split(' ')) as [[string, string], [string, string]];
    return compareAccounts(
      { import_supplier: one[0], external_account_number: one[1] },
      { import_supplier: other[0], external_account_number: other[1] },
    );
  };
  expect(Math.sign(order('A 2', 'B 1'))).toBe(-1);
  expect(Math.sign(order('A 2', 'A 1'))).toBe(1);
  expect(order('A 1', 'A 1')).toBe(0);
});

test('records of several runs come in the order of their variants, the earlier run first among equal ones', () => {
  const [first, second] = [record('1', 'a', 1), record('1', 'a', 2)];
  const late = { ...record('1', 'a', 3), variant: 'z' };
  expect([...merged([[late], [first], [second]])].map(({ seq }) => seq)).toEqual([1, 2, 3]);
});
