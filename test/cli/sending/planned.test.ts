import { expect, test } from 'vitest';
import type { Reading } from '../../../src/cli/journal/reading.ts';
import { planned } from '../../../src/cli/sending/planned.ts';
import { ROWS } from '../../support/run-report.ts';
import { csvFrom, stagedRun } from '../../support/push-staged-run.ts';

test('the work that is left of several runs is added up', async () => {
  const notes = await stagedRun('notes', csvFrom('notes', 'A1:a A1:b A1:c'));
  const transactions = await stagedRun('transactions', csvFrom('transactions', 'A1:a A2:b'));
  expect(planned([notes.run, transactions.run])).toEqual({
    kind: 'planned',
    records: 5,
    settled: { created: 0, existing: 0, uncompared: 0, verify: 0, rejected: 0 },
  });
});

test('only outcomes that an answer has settled are progress', () => {
  const run = {
    openWork: () => ({ requests: 1, accounts: 1, records: 1 }),
    rows: () => ({ ...ROWS, created: 2, uncompared: 1, confirmed: 5, sent_before: 7, invalid: 1 }),
  } as unknown as Reading;
  expect(planned([run]).settled).toEqual({
    created: 2,
    existing: 0,
    uncompared: 1,
    verify: 0,
    rejected: ROWS.rejected,
  });
});
