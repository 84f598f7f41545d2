import { expect, test } from 'vitest';
import { stagedRowsOf } from '../../../../src/cli/journal/database/sealed-rows.ts';
import { assertProven } from '../../../../src/cli/journal/read/consistency.ts';
import { csvOf, row, stagedRun } from '../../../support/push-staged-run.ts';

test('all rows are sealed, however many', async () => {
  const rows = Array.from({ length: 1_001 }, (_, index) => row.transactions('A', `t-${index}`));
  const csv = csvOf(rows);
  const { run } = await stagedRun('transactions', csv, { limits: { records: 500, bytes: 1_000_000 } });
  const other = (await stagedRun('transactions', csv, { limits: { records: 500, bytes: 1_000_000 } })).run;
  const sealOf = (of: typeof run) => stagedRowsOf(of.db, 1);
  expect(sealOf(run)).toEqual(sealOf(other));
  run.db.exec('UPDATE record SET last_line = last_line + 1, checksum = checksum + 1 WHERE seq = 1001');
  expect(() => assertProven(run.db)).toThrow(
    'the rows or problems of its files are not those that were read',
  );
});
