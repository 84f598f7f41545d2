import { expect, test } from 'vitest';
import { groupsOf } from '../../../src/cli/comparison/record-groups.ts';
import { comparedRecord } from '../../support/compared-record.ts';

const record = (account: string, key: string, seq = 1, supplier = 'ACME') =>
  comparedRecord({ import_supplier: supplier, external_account_number: account, key, seq });

// U+FF21 is one unit and three bytes. The emoji is two units, which are smaller, and four bytes.
const [WIDE, EMOJI] = ['\uFF21', '😀'];

test.each([
  ['under their account and key', ['1 a', '2 a', '2 a'], ['1 b', '2 a'], ['1 0', '0 1', '2 1']],
  ['by supplier before number', ['2 a', '1 a ZEUS'], ['1 a ZEUS'], ['1 0', '1 1']],
  [
    'in the order of SQLite, which compares bytes and not the units of JavaScript',
    [`${WIDE} a`, `${EMOJI} a`],
    [`${EMOJI} a`],
    ['1 0', '1 1'],
  ],
])('records of both sides meet %s', (_, source, found, groups) => {
  const side = (words: readonly string[]) =>
    words.map((each, index) => {
      const [account, key, supplier] = each.split(' ');
      return record(account!, key!, index, supplier);
    });
  const shapes = [...groupsOf(side(source), side(found))].map(
    (group) => `${group.source.length} ${group.found.length}`,
  );
  expect(shapes).toEqual(groups);
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
