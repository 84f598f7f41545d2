import type Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { RunFile } from '../../../../src/cli/run-file/run-file.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { csvFrom, csvOf, NOW, row, RUN_ID, stagedRun } from '../../../support/push-staged-run.ts';
import { runWithEveryEnd } from '../../../support/sent-run.ts';
import { Versions } from '../../../support/versions.ts';

describe('the records of a run', () => {
  test('come in the order of account and id, with their outcomes', async () => {
    const { run } = await runWithEveryEnd();
    const sent = [...run.proving.sentRecords(7)];
    expect(sent.map(({ external_account_number: account, key, outcome }) => [account, key, outcome])).toEqual(
      [
        ['A', '1', 'created'],
        ['A', '2', 'rejected'],
        ['C', '4', 'unknown'],
        ['D', '5', 'created'],
        ['E', '4', 'rejected'],
        ['G', '6', 'not_sent'],
      ],
    );
    expect(sent[3]).toMatchObject({
      origin: 7,
      sentBy: null,
      source: 1,
      line: 5,
      amount: '-5.5',
      type: 'CREDIT',
      seq: 4,
    });
    expect(sent[3]!.content).toEqual(run.history.asOther().contentOf(4));
    expect([...run.proving.recordsApart()]).toEqual([]);
  });

  test('are those of some ranges', async () => {
    const { run } = await runWithEveryEnd();
    const seqsIn = (...ranges: readonly (readonly [number, number])[]) =>
      [
        ...run.proving.recordsIn(
          ranges.map(([first, last]) => ({ first, last })),
          1,
        ),
      ].map(({ seq }) => seq);
    expect(seqsIn([1, 2], [5, 6])).toEqual([1, 2, 6, 5]);
    expect(seqsIn([4, 4])).toEqual([4]);
    expect(seqsIn()).toEqual([]);
  });

  test('may be compared by another content and another identity', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2'));
    const idOf = (payload: string) => (JSON.parse(payload) as { transaction_id: string }).transaction_id;
    const plain = [...run.proving.sourceRecords()];
    expect(plain.map(({ key, variant }) => [key, variant])).toEqual([
      ['1', ''],
      ['2', ''],
    ]);
    expect(plain[0]!.content).toEqual(run.history.asOther().contentOf(1));
    const made = run.proving.sourceRecords(
      (payload) => Buffer.from(`content of ${idOf(payload)}`),
      (payload) => ({ key: `k${9 - Number(idOf(payload))}`, variant: `v${idOf(payload)}` }),
    );
    expect([...made].map(({ key, variant, content }) => [key, variant, content.toString()])).toEqual([
      ['k7', 'v2', 'content of 2'],
      ['k8', 'v1', 'content of 1'],
    ]);
  });

  test('have answers and texts, and accounts', async () => {
    const { run } = await runWithEveryEnd();
    const { proving } = run;
    expect(proving.answerTo(1)).toEqual({ batch: 1, attempts: 1, status: 201, endedAt: NOW });
    expect(proving.answerTo(2)).toMatchObject({ batch: 2, status: 400 });
    expect(proving.answerTo(7)).toMatchObject({ attempts: 0, status: null, endedAt: null });
    expect(proving.answerTo(3)).toBeUndefined();
    expect(JSON.parse(proving.payloadOf(4)!)).toMatchObject({ transaction_id: '5' });
    expect([proving.payloadOf(3), proving.payloadOf(99)]).toEqual([null, null]);
    const account = { import_supplier: 'ACME', external_account_number: 'A' };
    expect(proving.hasAccount(account)).toBe(true);
    expect(proving.hasAccount({ ...account, external_account_number: 'Z' })).toBe(false);
    expect(proving.hasAccount({ ...account, import_supplier: 'OTHER' })).toBe(false);
    expect(proving.invalidRows(5)).toEqual([{ source: 1, line: 4 }]);
    proving.assertConsistent();
    proving.assertProven();
  });

  test('that are invalid are listed up to a limit', async () => {
    const csv = csvOf(['1', '2', '3'].map((id) => ({ ...row.transactions('A', id), amount: 'x' })));
    const { run } = await stagedRun('transactions', csv, { limits: null });
    expect(run.proving.invalidRows(2)).toEqual([
      { source: 1, line: 2 },
      { source: 1, line: 3 },
    ]);
  });
});

describe('records that no answer of this run proves', () => {
  test('are those that a person has confirmed, or a ledger', async () => {
    const lost = { kind: 'lost', applied: true } as const;
    const versions = new Versions('statements', new FakePlatform('statements', { 'A#1': lost, 'B#1': lost }));
    const { id } = await versions.send('A:S-1 B:S-2 C:S-3');
    const run = versions.folder.open(id);
    expect(run.proving.confirmedBy()).toEqual([]);
    run.confirming.confirm([1], { verdict: 'arrived', by: 'A. Lead', now: NOW });
    run.confirming.confirm([2], { verdict: 'arrived', by: 'B. Lead', now: NOW, ledger: 'ledger.csv' });
    expect([...run.proving.recordsApart()].map(({ key, outcome }) => [key, outcome])).toEqual([
      ['S-1', 'confirmed'],
      ['S-2', 'confirmed'],
    ]);
    expect(run.proving.confirmedBy().toSorted()).toEqual(['A. Lead', 'the ledger ledger.csv']);
    run.close();
  });

  test('are those of other runs, whether the rows are kept or not', async () => {
    const versions = new Versions('transactions', new FakePlatform('transactions'));
    const first = await versions.send('A:1 A:2 B:3');
    for (const keepsAll of [true, false]) {
      const { id } = await versions.send(keepsAll ? 'A:1 A:2 B:3 C:4' : 'A:1 A:2 B:3 D:5', { keepsAll });
      const run = versions.folder.open(id);
      const { proving } = run;
      const apart = [...proving.recordsApart()].map(({ key, sentBy }) => [key, sentBy]);
      const ranges = [...proving.rowsSentBefore()].map(([run, found]) => [
        run,
        found.map(({ first, last }) => [first, last]),
      ]);
      expect(apart).toEqual(keepsAll ? ['1', '2', '3'].map((key) => [key, first.id]) : []);
      expect(ranges).toEqual(keepsAll ? [] : [[first.id, [[1, 3]]]]);
      expect(proving.runsBefore()).toEqual([first.id]);
      run.close();
    }
  });
});

test('records are proven with little memory, whichever question comes first', async () => {
  const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
  run.close();
  const cacheAfter = (ask: (proving: RunFile['proving']) => unknown): unknown => {
    const opened = RunFile.open(folder.fileOf(RUN_ID), RUN_ID);
    ask(opened.proving);
    const size = (opened as unknown as { readonly db: Database.Database }).db.pragma('cache_size', {
      simple: true,
    });
    opened.close();
    return size;
  };
  expect(cacheAfter(() => undefined)).not.toBe(-2000);
  expect(cacheAfter((proving) => [...proving.sourceRecords()])).toBe(-2000);
  expect(cacheAfter((proving) => [...proving.sentRecords(1)])).toBe(-2000);
  expect(cacheAfter((proving) => proving.assertConsistent())).toBe(-2000);
  expect(cacheAfter((proving) => proving.assertProven())).toBe(-2000);
  // No setting can be made while records are read.
  const counts = cacheAfter((proving) => {
    for (const _ of proving.sentRecords(1)) expect([...proving.recordsApart()]).toEqual([]);
  });
  expect(counts).toBe(-2000);
});
