import { expect, onTestFinished, test } from 'vitest';
import type { CountedRecord, StagingRun } from '../../../../src/cli/push/ports/staging.ts';
import { CountedRows } from '../../../../src/cli/run-file/read/counted-rows.ts';
import { RunFile } from '../../../../src/cli/run-file/run-file.ts';
import { headerOf } from '../../../support/push-staged-run.ts';

const position = (byteStart: number, source = 1) => ({
  source,
  firstLine: 2,
  lastLine: 2,
  byteStart,
  byteEnd: byteStart + 5,
});

const record = (type: string | null, amount: string | null): CountedRecord => ({
  position: position(20),
  account: { import_supplier: 'ACME', external_account_number: '1' },
  identity: { key: 'a', variant: undefined },
  id: 'a',
  type,
  amount,
});

function counted(keepsLeftOut: boolean, fill: (staging: StagingRun) => void): RunFile {
  const source = { bytes: 1, sha256: '0'.repeat(64) };
  const run = RunFile.scratch(
    headerOf('transactions', {}, [source, source, source]),
    new CountedRows({ keepsLeftOut }),
  );
  onTestFinished(() => run.close());
  const staging = run.staging();
  fill(staging);
  staging.commit();
  return run;
}

const fill = (staging: StagingRun): void => {
  const count = (...given: Parameters<typeof record>): void =>
    staging.countRecord(record(...given), () => {
      throw new Error('nobody needs it');
    });
  count(null, null);
  count('PAYMENT', '1.5');
  count('CREDIT', null);
  count('CHARGE', '0.25');
  count('PAYMENT', '-0.75');
  staging.appendInvalid(position(10), '7');
  staging.appendInvalid(position(70, 3), '7');
  staging.appendFiltered(position(30), { kind: 'filter', place: 'x:1:1' });
  staging.appendFiltered(position(40, 2), { kind: 'window', place: '' });
  staging.appendFiltered(position(50, 2), { kind: 'filter', place: 'x:1:1' });
};

test.each([true, false])(
  'rows are counted, and not kept; those that are left out are kept: %s',
  (keepsLeftOut) => {
    const run = counted(keepsLeftOut, fill);
    const { rows, controlTotals, leftOut } = run.report();
    expect(rows).toMatchObject({ read: 10, not_sent: 5, invalid: 2, filtered: 3, created: 0 });
    const currency = null;
    expect(controlTotals).toEqual([
      { type: null, currency, count: 1, read: null, accepted: null },
      { type: 'CHARGE', currency, count: 1, read: '0.25', accepted: '0.00' },
      { type: 'CREDIT', currency, count: 1, read: null, accepted: null },
      { type: 'PAYMENT', currency, count: 2, read: '0.75', accepted: '0.00' },
    ]);
    expect(leftOut).toEqual([
      { kind: 'filter', place: 'x:1:1', count: 2 },
      { kind: 'window', place: '', count: 1 },
    ]);
    expect([...run.leftOutRows(2)].map(({ byteStart }) => byteStart)).toEqual(keepsLeftOut ? [40, 50] : []);
    expect([
      run.bytesBeforeRows(1),
      run.bytesBeforeRows(2),
      run.bytesBeforeRows(3),
      run.bytesBeforeRows(4),
    ]).toEqual([20, 40, 70, 0]);
    expect(run.keepsRecords).toBe(false);
    expect(new CountedRows({ keepsLeftOut }).areEnough('staged')).toBe(true);
  },
);
