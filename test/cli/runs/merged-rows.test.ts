import { expect, test } from 'vitest';
import type { RowEnd } from '../../../src/cli/journal/read/reporting.ts';
import type { Reading } from '../../../src/cli/journal/reading.ts';
import { MergedRows } from '../../../src/cli/runs/merged-rows.ts';

const CREATED: RowEnd = { end: 'created', kind: null, place: null };
const INVALID: RowEnd = { end: 'invalid', kind: null, place: null };
const ELSEWHERE: RowEnd = { end: 'filtered', kind: 'shard', place: null };

/** A shard of a file whose rows end as `endOf` says. */
function shard(rows: number, endOf: (row: number) => RowEnd): Reading {
  return {
    header: { id: 'r' },
    *rowEnds() {
      for (let row = 0; row < rows; row++) yield endOf(row);
    },
  } as unknown as Reading;
}

test('more rows than there is room for after it has doubled are each counted once', () => {
  const rows = 131_072 * 2 + 1;
  const merged = new MergedRows();
  for (const own of [0, 1])
    merged.add(
      // A row without an account number is invalid in both shards.
      shard(rows, (row) => (row % 1_000 === 7 ? INVALID : row % 2 === own ? CREATED : ELSEWHERE)),
    );
  const invalid = Math.ceil((rows - 7) / 1_000);
  expect(merged.counts().rows).toMatchObject({ read: rows, created: rows - invalid, invalid });
});

test('a row of two of three shards is no row of all', () => {
  const merged = new MergedRows();
  for (const end of [INVALID, INVALID, ELSEWHERE]) merged.add(shard(1, () => end));
  expect(() => merged.counts()).toThrow(/row 1 is in 2 of 3 shards/);
});
