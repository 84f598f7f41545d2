import { describe, expect, test } from 'vitest';
import type { DrainRun } from '../../../../src/cli/push/ports/run.ts';
import { csvFrom, csvOf, NOW, row, stagedRun, takenUp } from '../../../support/push-staged-run.ts';
import { drained } from '../../../support/push-drained.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { runWithEveryEnd } from '../../../support/sent-run.ts';
import { problemWith } from '../../../support/run-report.ts';
import { Versions } from '../../../support/versions.ts';

const VIEW = { showValues: false, command: null };

describe('the measures of a run', () => {
  test('count its accounts, requests and rows', async () => {
    const { run } = await runWithEveryEnd();
    const { problemGroups, timeline, unfinished, ...counted } = run.measuring.measures(VIEW);
    expect(timeline).toMatchObject({ firstMs: Date.parse(NOW), endMs: Date.parse(NOW) });
    expect({
      ...counted,
      accountGroups: counted.accountGroups.toSorted((a, b) => (a.end < b.end ? -1 : 1)),
    }).toEqual({
      accountGroups: [
        { end: 'complete', accounts: 1, records: 1, arrived: 1, read: '-5.5', accepted: '-5.5' },
        { end: 'none', accounts: 3, records: 3, arrived: 0, read: '24.25', accepted: '0' },
        { end: 'partial', accounts: 1, records: 2, arrived: 1, read: '20.20', accepted: '10.10' },
      ],
      unfinishedTotal: 4,
      unsent: [],
      answerTimes: [[0, 4]],
      attempts: [
        { status: 201, result: 'settled', count: 2 },
        { status: null, result: 'ambiguous', count: 1 },
        { status: 400, result: 'settled', count: 1 },
        { status: 404, result: 'settled', count: 1 },
      ],
      attemptsOfRequests: [[1, 5]],
      doubted: 1,
      cut: 0,
      suppliers: ['ACME'],
      invalidRows: { rows: 1, readable: 0, sum: null },
      decisions: [],
    });
    const none = {
      importSupplier: 'ACME',
      arrived: 0,
      rejected: 0,
      verify: 0,
      unknown: 0,
      conflicting: 0,
      notSent: 0,
    };
    const [first, second] = ['transactions-1.csv', 'transactions-2.csv'];
    expect(unfinished.map(({ error, ...account }) => ({ ...account, error: error?.code }))).toEqual([
      {
        ...none,
        externalAccountNumber: 'A',
        file: first,
        line: 3,
        records: 2,
        arrived: 1,
        rejected: 1,
        error: 'invalid',
      },
      {
        ...none,
        externalAccountNumber: 'E',
        file: second,
        line: 2,
        records: 1,
        rejected: 1,
        error: 'account_not_found',
      },
      {
        ...none,
        externalAccountNumber: 'C',
        file: second,
        line: 3,
        records: 1,
        unknown: 1,
        error: undefined,
      },
      {
        ...none,
        externalAccountNumber: 'G',
        file: second,
        line: 4,
        records: 1,
        notSent: 1,
        error: undefined,
      },
    ]);
    expect(
      problemGroups.map(({ severity, count, records, first, lines }) => [
        severity,
        count,
        records,
        first.line,
        lines,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['error', 1, 1, 3, [3]],
        ['error', 1, 1, 4, [4]],
      ]),
    );
  });

  test('count the records of a request that was refused as a whole', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2 A:3'), {
      limits: { records: 3, bytes: 1_000_000 },
    });
    const refused = {
      kind: 'answer',
      applied: false,
      answer: { kind: 'answer', status: 404, headers: {}, body: '{"detail":"Not found."}' },
    } as const;
    await drained(run, new FakePlatform('transactions', { 'A#1': refused }), { onReject: 'skip' });
    expect(run.measuring.measures(VIEW).problemGroups).toMatchObject([
      { severity: 'error', count: 1, records: 3 },
    ]);
  });

  test('count the records of each cause by itself, and one where no record is settled', async () => {
    const csv = csvFrom('transactions', 'A:1 A:2 A:3 B:4 B:5');
    const { run } = await stagedRun('transactions', csv, { limits: { records: 3, bytes: 1_000_000 } });
    const refused = (status: number, body: string) =>
      ({ kind: 'answer', applied: false, answer: { kind: 'answer', status, headers: {}, body } }) as const;
    const platform = new FakePlatform('transactions', {
      'A#1': refused(404, '{"detail":"Not found."}'),
      'B#1': refused(400, '{"detail":"Odd.","code":"odd"}'),
    });
    await drained(run, platform, { onReject: 'skip' });
    const { problemGroups, unfinished } = run.measuring.measures(VIEW);
    expect(new Set(problemGroups.map(({ records }) => records))).toEqual(new Set([1, 3]));
    expect(unfinished).toHaveLength(2);
  });

  test('have nothing unfinished when everything has arrived', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
    await drained(run, new FakePlatform('transactions'));
    const { unfinished, unfinishedTotal, problemGroups } = run.measuring.measures(VIEW);
    expect([unfinished, unfinishedTotal, problemGroups]).toEqual([[], 0, []]);
  });

  test('count warnings as they are, also beside refusals of the same cause', async () => {
    const rows = ['1', '2', '3'].map((id) => ({
      ...row.transactions('A', id),
      amount: '0.00',
      type: 'CREDIT',
    }));
    const { run } = await stagedRun('transactions', csvOf(rows), {
      limits: { records: 1, bytes: 1_000_000 },
    });
    const errors = [{ detail: 'No.', code: 'zero_amount', attr: 'transactions.0.amount' }];
    const body = JSON.stringify({ detail: 'x', code: 'validation_error', errors });
    const refused = {
      kind: 'answer',
      applied: false,
      answer: { kind: 'answer', status: 400, headers: {}, body },
    } as const;
    await drained(run, new FakePlatform('transactions', { 'A#1': refused }), { onReject: 'skip' });
    expect(
      run.measuring
        .measures(VIEW)
        .problemGroups.map(({ first, severity, count, records }) => [first.code, severity, count, records]),
    ).toEqual([
      ['zero_amount', 'error', 1, 1],
      ['zero_amount', 'warning', 3, 3],
    ]);
  });

  test('count warnings as they are', async () => {
    const { run } = await stagedRun('transactions', csvOf([{ ...row.transactions('A', '1'), amount: '0' }]));
    const { problemGroups, timeline } = run.measuring.measures(VIEW);
    expect(problemGroups).toMatchObject([
      { severity: 'warning', count: 1, records: 1, first: { code: 'zero_amount' }, lines: [2] },
    ]);
    expect(timeline).toBeNull();
  });

  test('have the reasons why accounts were not sent, the one of most rows first', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 B:2 B:3 C:4'), {
      limits: { records: 1, bytes: 1_000_000 },
    });
    const file = 'transactions-1.csv';
    const because = (code: string, account: number, seq: number) => ({
      account,
      seq,
      problem: problemWith({ code, file, line: seq + 1 }),
    });
    run.cohort.keepUnsent([
      because('account_not_imported', 1, 1),
      because('account_import_failed', 2, 2),
      because('account_not_imported', 3, 4),
    ]);
    expect(run.measuring.measures(VIEW).unsent).toEqual([
      { reason: 'account_not_imported', accounts: 2, rows: 2 },
      { reason: 'account_import_failed', accounts: 1, rows: 2 },
    ]);
  });

  test('have invalid rows with the sum of the amounts that can be read', async () => {
    const bad = { ...row.transactions('A', '1'), type: 'FEE' };
    const csv = csvOf([bad, { ...bad, amount: '0.05' }, { ...bad, amount: 'x' }]);
    const { run } = await stagedRun('transactions', csv, { skipInvalid: true });
    expect(run.measuring.measures(VIEW).invalidRows).toEqual({ rows: 3, readable: 2, sum: '10.15' });
  });
});

describe('the timeline of a run', () => {
  /** A run of which requests began and ended at these milliseconds after `NOW`. */
  const timelineOf = async (ends: readonly (readonly [account: string, began: number, ended: number])[]) => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 B:2 C:3'), {
      limits: { records: 1, bytes: 1_000_000 },
    });
    let nowMs = 0;
    const operations: DrainRun = run.draining(() => new Date(Date.parse(NOW) + nowMs).toISOString());
    for (const [account, began, ended] of ends) {
      nowMs = began;
      const id = run.cohort.numberOf({ import_supplier: 'ACME', external_account_number: account })!;
      const batch = (await operations.claimNext(id))!;
      nowMs = ended;
      if (account === 'C')
        await operations.fail(batch, { kind: 'not_applied', status: 503, reason: 'status 503' });
      else
        await operations.settle(batch, {
          status: 201,
          state: 'done',
          problems: [],
          inDoubt: false,
          records: batch.records.map(({ seq }) => ({ seq, outcome: 'created' })),
        });
    }
    return { timeline: run.measuring.measures(VIEW).timeline, run };
  };

  test('has what arrived and failed in each span, in order', async () => {
    const { timeline, run } = await timelineOf([
      ['B', 0, 1_900],
      ['A', 5, 45],
      ['C', 10, 48],
    ]);
    const firstMs = Date.parse(NOW);
    const none = { created: 0, existing: 0, uncompared: 0, verify: 0, rejected: 0 };
    expect(timeline).toEqual({
      startMs: firstMs,
      firstMs,
      endMs: firstMs + 1_900,
      bucketMs: 50,
      buckets: [
        { at: 0, outcomes: { ...none, created: 1 }, failed: 1 },
        { at: 38, outcomes: { ...none, created: 1 }, failed: 0 },
      ],
    });
    expect(run.sendingMs()).toBe(1_900);
    expect(run.measuring.measures(VIEW).answerTimes).toEqual([
      [38, 1],
      [40, 1],
      [1_900, 1],
    ]);
  });

  test('is in the order of time, also where nothing arrived at first', async () => {
    const { timeline } = await timelineOf([
      ['A', 0, 1_900],
      ['C', 10, 20],
    ]);
    expect(timeline!.buckets.map(({ at, failed }) => [at, failed])).toEqual([
      [0, 1],
      [38, 0],
    ]);
  });

  test('begins at a whole span', async () => {
    const { timeline } = await timelineOf([['A', 5, 13]]);
    const startMs = Date.parse(NOW);
    expect(timeline).toMatchObject({
      startMs,
      firstMs: startMs + 5,
      endMs: startMs + 13,
      bucketMs: 10,
      buckets: [{ at: 1 }],
    });
  });

  test('has no time that is negative when a clock was set back', async () => {
    const { run } = await timelineOf([['A', 50, 20]]);
    expect(run.measuring.measures(VIEW).answerTimes).toEqual([[0, 1]]);
  });
});

test('decisions are those of people and ledgers, and that everything was sent again', async () => {
  const lost = { kind: 'lost', applied: true } as const;
  const versions = new Versions('statements', new FakePlatform('statements', { 'A#1': lost, 'B#1': lost }));
  const { id } = await versions.send('A:S-1 B:S-2 C:S-3');
  const run = versions.folder.open(id);
  run.confirming.confirm([1], { verdict: 'arrived', by: 'A. Lead', now: NOW });
  run.confirming.confirm([2], { verdict: 'arrived', by: 'B. Lead', now: NOW, ledger: 'ledger.csv' });
  takenUp(run, { again: true });
  expect(run.measuring.decisions()).toEqual([
    { at: NOW, by: 'A. Lead', kind: 'arrived', ledger: null, rows: 1 },
    { at: NOW, by: 'B. Lead', kind: 'arrived', ledger: 'ledger.csv', rows: 1 },
    { at: NOW, by: null, kind: 'again', ledger: null, rows: 3 },
  ]);
  expect(run.measuring.measures(VIEW).decisions).toEqual(run.measuring.decisions());
  expect([...run.measuring.attempts()].map(({ id: attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
  run.close();
});
