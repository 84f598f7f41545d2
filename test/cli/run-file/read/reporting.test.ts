import { describe, expect, test } from 'vitest';
import { drained } from '../../../support/push-drained.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { csvFrom, csvOf, row, stagedRun } from '../../../support/push-staged-run.ts';
import { runWithEveryEnd } from '../../../support/sent-run.ts';
import { Versions } from '../../../support/versions.ts';

describe('the report of a run with every end', () => {
  test('counts its rows, requests and accounts, and sums its amounts', async () => {
    const { run } = await runWithEveryEnd();
    const {
      rows,
      requests,
      accounts,
      controlTotals,
      leftOut,
      withdrawn,
      platformAccounts,
      platformAccountsTotal,
    } = run.report();
    expect(rows).toEqual({
      read: 7,
      filtered: 0,
      invalid: 1,
      created: 2,
      existing: 0,
      uncompared: 0,
      confirmed: 0,
      sent_before: 0,
      verify: 0,
      rejected: 2,
      unknown: 1,
      not_sent: 1,
    });
    expect(requests).toEqual({ total: 5, retried: 0, byStatus: { 201: 2, 400: 1, 404: 1, lost: 1 } });
    expect(accounts).toEqual({ total: 5, done: 1, stopped: 0 });
    expect(controlTotals).toEqual([
      { type: 'CHARGE', currency: null, count: 5, read: '44.45', accepted: '10.10' },
      { type: 'CREDIT', currency: null, count: 1, read: '-5.5', accepted: '-5.5' },
    ]);
    expect([leftOut, withdrawn]).toEqual([[], { total: 0, listed: [] }]);
    expect([platformAccounts, platformAccountsTotal]).toEqual([[], 0]);
  });

  test('says how each row ended, and what is left', async () => {
    const { run } = await runWithEveryEnd();
    expect([...run.rowEnds()].map(({ end }) => end)).toEqual([
      'created',
      'rejected',
      'invalid',
      'created',
      'rejected',
      'unknown',
      'not_sent',
    ]);
    expect(run.unknownRows()).toEqual([{ file: 'transactions-2.csv', line: 3 }]);
    expect(run.openWork()).toEqual({ records: 2, batches: 2, accounts: 2 });
    expect(run.settledCounts()).toEqual({ created: 2, rejected: 2 });
    expect(run.requestsSoFar()).toBe(5);
    expect(run.sendingMs()).toBe(0);
    expect(run.suppliers()).toEqual(['ACME']);
    expect([run.hasInvalidRows, run.hasConflicts, run.hasAllTexts, run.isOpen]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  test('plans the requests that are left, with the bytes of their texts', async () => {
    const { run } = await runWithEveryEnd();
    const planned = [...run.plannedRequests()];
    expect(planned.map(({ account, records }) => [account, records])).toEqual(
      ['C', 'G'].map((number) => [{ import_supplier: 'ACME', external_account_number: number }, 1]),
    );
    expect(planned[0]!.payloadBytes).toBe(Buffer.byteLength(run.proving.payloadOf(6)!));
  });
});

test('a run that sent nothing has no time, no request and no conflict', async () => {
  const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
  expect([run.sendingMs(), run.requestsSoFar(), run.hasInvalidRows, run.hasConflicts]).toEqual([
    0,
    0,
    false,
    false,
  ]);
  const { requests, accounts } = run.report();
  expect([requests, accounts]).toEqual([
    { total: 0, retried: 0, byStatus: {} },
    { total: 1, done: 0, stopped: 0 },
  ]);
});

test('records without amounts have no sums', async () => {
  const { run } = await stagedRun('notes', csvFrom('notes', 'A:1'));
  const expected = { type: null, currency: null, count: 1, read: null, accepted: null };
  expect(run.report().controlTotals).toEqual([expected]);
});

test('requests that are tried again count as retried, and those that never left do not', async () => {
  const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 B:2'));
  const busy = {
    kind: 'answer',
    applied: false,
    answer: { kind: 'answer', status: 503, headers: {}, body: '' },
  } as const;
  await drained(run, new FakePlatform('transactions', { 'A#1': busy }), { concurrency: 1 });
  expect(run.report().requests).toEqual({ total: 3, retried: 1, byStatus: { 201: 2, 503: 1 } });
});

test('rows that are not kept have their end where they were', async () => {
  const versions = new Versions('transactions', new FakePlatform('transactions'));
  await versions.send('A:1 A:2 A:3');
  const { report, ends } = await versions.send('A:1 B:4 A:2 A:3');
  expect(ends).toEqual(['sent_before', 'created', 'sent_before', 'sent_before']);
  expect(report.rows).toMatchObject({ read: 4, created: 1, sent_before: 3 });
});

test('rows that are left out are counted by their causes', async () => {
  const csv = csvOf(['1', '2', '3'].map((id) => row.transactions('A', id)));
  const { run } = await stagedRun('transactions', csv, { window: { skip: 1, max: 1 } });
  expect(run.report().leftOut).toEqual([{ kind: 'window', place: '', count: 2 }]);
  const none = { end: 'not_sent', kind: null, place: null };
  const left = { end: 'filtered', kind: 'window', place: '' };
  expect([...run.rowEnds()]).toEqual([left, none, left]);
});

test('a run whose texts are erased is forgotten while refused records are left, and done without them', async () => {
  const { run } = await runWithEveryEnd();
  run.erasePayloads();
  expect([run.condition, run.hasAllTexts]).toEqual(['forgotten', false]);
  const refused = {
    kind: 'answer',
    applied: false,
    answer: { kind: 'answer', status: 404, headers: {}, body: '{"detail":"Not found."}' },
  } as const;
  for (const faults of [{}, { 'A#1': refused }]) {
    const { run: sent } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
    await drained(sent, new FakePlatform('transactions', faults), { onReject: 'skip' });
    expect(sent.condition).toBe('done');
    sent.erasePayloads();
    expect(sent.condition).toBe(Object.keys(faults).length === 0 ? 'done' : 'forgotten');
  }
});

test('records that have changed or moved are in no sum', async () => {
  const versions = new Versions('transactions', new FakePlatform('transactions'));
  await versions.send('A:1 A:2 A:3');
  const csv = csvFrom('transactions', 'A:1 B:2 A:3 A:4').replace('10.10', '10.11');
  const { report, ends } = await versions.send(csv);
  expect(ends).toEqual(['record_changed', 'record_moved', 'sent_before', 'created']);
  expect(report.controlTotals).toMatchObject([{ count: 2, read: '20.20', accepted: '20.20' }]);
  expect(report.rows).toMatchObject({ read: 4, invalid: 2, sent_before: 1, created: 1 });
});

test('the list of withdrawn records is that of the last comparison', async () => {
  const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
  const account = { import_supplier: 'ACME', external_account_number: 'A' };
  const withdrawn = (id: string) => ({
    ...account,
    id,
    file: 'old.csv',
    line: 2,
    run: 'run-1',
    seq: 1,
    key: id,
    variant: '',
    place: '',
  });
  run.history.keepWithdrawn([withdrawn('1'), withdrawn('2')]);
  expect(run.report().withdrawn.total).toBe(2);
  run.history.keepWithdrawn([withdrawn('3')]);
  const listed = [{ ...account, id: '3', file: 'old.csv', line: 2, run: 'run-1' }];
  expect(run.report().withdrawn).toEqual({ total: 1, listed });
});
