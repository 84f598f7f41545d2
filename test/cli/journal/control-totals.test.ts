import { expect, test } from 'vitest';
import { drained } from '../../support/push-drained.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import { csvOf, row, stagedRun } from '../../support/push-staged-run.ts';

/** The largest gross amount of the interface, in minor units. */
const LARGEST = '999999999999999';

test('control totals keep every digit beyond those of a float', async () => {
  const amounts = [...Array.from({ length: 12 }, () => LARGEST), '-3'];
  const rows = amounts.map((gross_amount, index) => ({
    ...row.statements('A', `S-${index}`),
    gross_amount,
  }));
  const { run } = await stagedRun('statements', csvOf(rows));
  const { report } = await drained(run, new FakePlatform('statements'));
  const exact = '11999999999999985';
  expect(report.controlTotals).toMatchObject([{ read: exact, accepted: exact }]);
  // A float between 2^53 and 2^54 is even, and each addition rounds.
  const floats = amounts.reduce((total, amount) => total + Number(amount), 0);
  expect(BigInt(floats)).not.toBe(BigInt(exact));
});
