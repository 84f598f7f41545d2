import { expect, test } from 'vitest';
import type { RowEnd } from '../../../src/cli/journal/read/reporting.ts';
import { rowsOfShards } from '../../../src/cli/verify/shards.ts';

const CREATED: RowEnd = { end: 'created', kind: null, place: null };
const INVALID: RowEnd = { end: 'invalid', kind: null, place: null };
const ELSEWHERE: RowEnd = { end: 'filtered', kind: 'shard', place: null };
const filteredAt = (place: string): RowEnd => ({ end: 'filtered', kind: 'filter', place });

const counted = (...shards: readonly (readonly RowEnd[])[]) =>
  rowsOfShards(shards.map((rows) => ({ rowEnds: () => rows })));

test('a row that is left out, or has no account number, is in all shards and counted once', () => {
  const { rows, leftOut } = counted(
    [CREATED, INVALID, filteredAt('m:1'), ELSEWHERE],
    [ELSEWHERE, INVALID, filteredAt('m:1'), INVALID],
  );
  expect(rows).toMatchObject({ read: 4, created: 1, invalid: 2, filtered: 1 });
  expect(leftOut).toEqual([{ kind: 'filter', place: 'm:1', count: 1 }]);
});

test.each([
  ['two of three shards', [[INVALID], [INVALID], [ELSEWHERE]], 'row 1 is in 2 of 3 shards'],
  [
    'no shard',
    [
      [CREATED, ELSEWHERE],
      [ELSEWHERE, ELSEWHERE],
    ],
    'row 2 is in 0 of 2 shards',
  ],
  ['two shards, as a record', [[CREATED], [CREATED]], 'row 1 is in 2 of 2 shards'],
  ['two shards, with another end', [[filteredAt('m:1')], [filteredAt('m:2')]], 'row 1 is in 2 of 2 shards'],
  ['two shards, of which one has fewer rows', [[CREATED], []], 'row 1 is in 1 of 2 shards'],
] as const)('a row of %s is refused', (_, shards, detail) => {
  expect(() => counted(...shards)).toThrow(detail);
});
