import { describe, expect, test } from 'vitest';
import { drained } from '../../support/push-drained.ts';
import { answer } from '../../support/push-batch.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import { csvFrom, csvOf, row, stagedRun } from '../../support/push-staged-run.ts';
import { Versions } from '../../support/versions.ts';

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

test('a row that has to be verified is not accepted', async () => {
  const lost = { kind: 'lost', applied: true } as const;
  const platform = new FakePlatform('statements', { 'B#1': lost });
  const { run } = await stagedRun('statements', csvFrom('statements', 'A:1 A:2 B:3'));
  const { report } = await drained(run, platform);
  expect(report.rows).toMatchObject({ created: 2, verify: 1 });
  expect(report.controlTotals).toMatchObject([{ count: 3, read: '3030', accepted: '2020' }]);
});

test('neither is a row that was refused or is unknown', async () => {
  const refusal = answer(404, { detail: 'Not found.' });
  const platform = new FakePlatform('transactions', {
    'B#1': { kind: 'answer', applied: false, answer: refusal },
  });
  const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 B:2 C:3'));
  const { report } = await drained(run, platform, { concurrency: 1 });
  expect(report.rows).toMatchObject({ created: 1, rejected: 1, not_sent: 1 });
  expect(report.controlTotals).toMatchObject([{ read: '30.30', accepted: '10.10' }]);
});

describe('a row whose record has arrived otherwise', () => {
  /** The totals of a file that is sent again with another first row. */
  async function totalsAfter(changed: object) {
    const versions = new Versions('transactions', new FakePlatform('transactions'));
    const [first, second] = [row.transactions('A', '1'), row.transactions('A', '2')];
    await versions.send(csvOf([first, second]));
    return (await versions.send(csvOf([{ ...first, ...changed }, second]))).report.controlTotals;
  }

  test('is read with its own amount, and accepted with that which has arrived', async () => {
    expect(await totalsAfter({ amount: '20.2' })).toMatchObject([
      { count: 2, read: '30.30', accepted: '20.20' },
    ]);
  });

  test('of another type is accepted under the type that has arrived', async () => {
    expect(await totalsAfter({ type: 'PAYMENT' })).toMatchObject([
      { type: 'CHARGE', count: 1, read: '10.10', accepted: '20.20' },
      { type: 'PAYMENT', count: 1, read: '10.10', accepted: '0.00' },
    ]);
  });

  test('on another account is accepted, because the platform has it', async () => {
    expect(await totalsAfter({ external_account_number: 'B' })).toMatchObject([
      { count: 2, read: '20.20', accepted: '20.20' },
    ]);
  });
});
