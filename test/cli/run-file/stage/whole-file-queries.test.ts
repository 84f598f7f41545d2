import { describe, expect, onTestFinished, test } from 'vitest';
import type { StagedRecord, StagingRun } from '../../../../src/cli/push/ports/staging.ts';
import { RunFile } from '../../../../src/cli/run-file/run-file.ts';
import { headerOf } from '../../../support/push-staged-run.ts';

type Given = Partial<Pick<StagedRecord, 'id' | 'type' | 'amount'>> & {
  readonly account?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
};

/** The questions about a run with these records, at the lines 2, 3 and so on. */
function askedAbout(records: readonly Given[]): StagingRun {
  const run = RunFile.scratch(headerOf('transactions', {}, [{ bytes: 1, sha256: '0'.repeat(64) }]));
  onTestFinished(() => run.close());
  const staging = run.staging();
  for (const [
    index,
    { account = 'A', id = null, type = null, amount = null, payload },
  ] of records.entries()) {
    const line = index + 2;
    const text = JSON.stringify(payload ?? { line });
    staging.appendRecord({
      position: { source: 1, firstLine: line, lastLine: line, byteStart: index, byteEnd: line },
      parts: [],
      account: { import_supplier: 'ACME', external_account_number: account },
      payload: () => text,
      valueText: text,
      id,
      type,
      amount,
      identity: { key: id ?? String(index), variant: undefined },
    });
  }
  return staging;
}

const at = (line: number) => ({ source: 1, line });
const withIds = (...ids: readonly (string | null)[]) => askedAbout(ids.map((id) => ({ id })));
const onAccounts = (...accounts: readonly string[]) => askedAbout(accounts.map((account) => ({ account })));

describe('ids', () => {
  test.each([
    [[], false],
    [['a', 'b'], true],
    [['a', 'A'], false],
    [['a', 'a'], false],
    [['é', 'É'], false],
  ])('%j are apart: %s', (ids, areApart) => {
    expect(withIds(...ids).idsAreApart()).toBe(areApart);
  });

  test.each([
    [['b', 'a', 'A', 'é', 'É', 'a'], { count: 4, first: at(3) }],
    [['a', 'b', 'a', null, null], undefined],
  ])('%j collide where they differ only in case', (ids, tally) => {
    expect(withIds(...ids).collidingIds()).toEqual(tally);
  });

  test('are found on several accounts', () => {
    const staging = askedAbout([
      { id: '1', account: 'A' },
      { id: '2', account: 'A' },
      { id: '2', account: 'B' },
      { account: 'A' },
      { account: 'B' },
    ]);
    expect(staging.idsOnSeveralAccounts()).toEqual({ count: 1, first: at(3) });
    expect(withIds('1', '1').idsOnSeveralAccounts()).toBeUndefined();
  });

  test('are compared by their digits when they have nothing else', () => {
    const staging = withIds('7', '07', '12', '7', 'x9', null);
    expect(staging.numberLengths('id')).toEqual([
      { shape: '#', digits: 1, count: 1, zeroLed: 0 },
      { shape: '#', digits: 2, count: 2, zeroLed: 1 },
    ]);
    expect(staging.numbersBelow('id', '#', 2)).toEqual({ count: 1, first: at(2) });
    expect(staging.numbersBelow('id', '#', 1)).toBeUndefined();
    expect(staging.numbersWithAndWithoutZeros('id', '#')).toEqual({ count: 1, first: at(2) });
    expect(withIds('7', '012').numbersWithAndWithoutZeros('id', '#')).toBeUndefined();
  });
});

describe('account numbers', () => {
  test('collide where they differ only in case', () => {
    expect(onAccounts('c', 'ab', 'aB', 'É', 'é').collidingAccounts()).toEqual({ count: 4, first: at(3) });
    expect(onAccounts('a', 'b', 'a').collidingAccounts()).toBeUndefined();
  });

  test('are compared by the digits of those of one shape', () => {
    const staging = onAccounts('SAP-31', '5', 'SAP-031', 'SAP-7', 'none', '5');
    expect(staging.numberLengths('account')).toEqual([
      { shape: '#', digits: 1, count: 1, zeroLed: 0 },
      { shape: 'SAP-#', digits: 1, count: 1, zeroLed: 0 },
      { shape: 'SAP-#', digits: 2, count: 1, zeroLed: 0 },
      { shape: 'SAP-#', digits: 3, count: 1, zeroLed: 1 },
    ]);
    expect(staging.numbersBelow('account', 'SAP-#', 3)).toEqual({ count: 2, first: at(2) });
    expect(staging.numbersWithAndWithoutZeros('account', 'SAP-#')).toEqual({ count: 1, first: at(2) });
    expect(staging.numbersWithAndWithoutZeros('account', '#')).toBeUndefined();
  });
});

describe('values of a field', () => {
  test('are counted where they are missing, by type', () => {
    const staging = askedAbout([
      { type: 'B', payload: { note: 'x' } },
      { type: 'B', payload: {} },
      { type: 'A', payload: {} },
      { type: 'C', payload: { note: '' } },
      { type: 'B', payload: { note: null } },
    ]);
    expect(staging.missingValues('note')).toEqual([
      { type: 'A', records: 1, count: 1, first: at(4) },
      { type: 'B', records: 3, count: 2, first: at(3) },
    ]);
  });

  test('are grouped by year, and by day where a day stands for none', () => {
    const days = ['2025-02-03', '1970-01-01T00:00:00Z', '2025-11-30', '1970-01-02', undefined, '1899-12-30'];
    const staging = askedAbout(days.map((day) => ({ payload: { day } })));
    expect(staging.dateGroups('day')).toEqual([
      { period: '1899-12-30', count: 1, first: at(7) },
      { period: '1970', count: 1, first: at(5) },
      { period: '1970-01-01', count: 1, first: at(3) },
      { period: '2025', count: 2, first: at(2) },
    ]);
  });

  test('are shared when records of several accounts have one', () => {
    const shared = [
      { account: 'A', payload: { path: 'own.pdf' } },
      { account: 'A', payload: { path: 'own.pdf' } },
      { account: 'A', payload: { path: 'x.pdf' } },
      { account: 'B', payload: { path: 'x.pdf' } },
      { account: 'A', payload: {} },
      { account: 'B', payload: {} },
    ];
    expect(askedAbout(shared).sharedTexts('path')).toEqual({ count: 2, first: at(4) });
    expect(askedAbout(shared.slice(0, 3)).sharedTexts('path')).toBeUndefined();
  });

  test('may have parts of seconds', () => {
    const times = ['2025-01-01T00:00:00Z', '2025-01-01T00:00:00.5Z', '2025-01-01T00:00:01.25Z'];
    const staging = askedAbout(times.map((time) => ({ payload: { time } })));
    expect(staging.splitSeconds('time')).toEqual({ count: 2, first: at(3) });
    expect(staging.splitSeconds('other')).toBeUndefined();
  });
});

test('statements of one account, number and period with several ids supersede each other', () => {
  const statement = (id: string, changes: object = {}) => {
    const period = { bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' };
    return { id, payload: { number: '7', ...period, ...changes } };
  };
  const superseded = [statement('9', { number: '8' }), statement('1'), statement('2'), statement('3')];
  expect(askedAbout(superseded).supersededStatements()).toEqual({ count: 2, first: at(3) });
  const apart = [
    statement('1'),
    statement('1'),
    statement('2', { number: '8' }),
    statement('3', { bill_period_from_date: '2025-01-02' }),
    statement('4', { bill_period_to_date: '2025-01-30' }),
    { ...statement('5'), account: 'B' },
    statement('6', { number: '' }),
    statement('7', { number: '' }),
  ];
  expect(askedAbout(apart).supersededStatements()).toBeUndefined();
});

describe('amounts', () => {
  test('of statements are measured without their signs and without zeros', () => {
    const staging = askedAbout(['0', '-500', '250', '100', null].map((amount) => ({ amount })));
    expect(staging.grossAmounts()).toEqual({ count: 3, largest: 500, hundreds: 2, first: at(3) });
    expect(askedAbout([{ amount: '0' }, {}]).grossAmounts()).toBeUndefined();
  });

  test('of transactions are counted by type and sign', () => {
    const staging = askedAbout([
      { type: 'PAYMENT', amount: '-0.00' },
      { type: 'PAYMENT', amount: '-3.00' },
      { type: 'CREDIT', amount: '2' },
      { type: 'PAYMENT', amount: '0.01' },
    ]);
    expect(staging.signedAmounts()).toEqual([
      { type: 'CREDIT', count: 1, negative: 0, first: at(4) },
      { type: 'PAYMENT', count: 2, negative: 1, first: at(3) },
    ]);
  });
});
