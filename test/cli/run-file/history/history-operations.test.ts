import { describe, expect, test, vi } from 'vitest';
import type { HistoryView } from '../../../../src/cli/run-file/history/history-view.ts';
import { answer } from '../../../support/push-batch.ts';
import { drained } from '../../../support/push-drained.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { csvFrom, NOW, RUN_ID, stagedRun, takenUp } from '../../../support/push-staged-run.ts';
import { problemWith } from '../../../support/run-report.ts';
import { runWithEveryEnd } from '../../../support/sent-run.ts';
import { Versions } from '../../../support/versions.ts';

describe('what a run tells others of itself', () => {
  test('is its header, with its shard, its cohort and its places', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'), {
      options: { selection: { shard: { index: 2, count: 3 } } },
      choice: { cohort: { name: 'july' } as never },
      turn: 5,
    });
    run.history.replace(['/in/old.csv', '/in/transactions-1.csv', '/in/old.csv']);
    const { head, version, ...facts } = run.history.facts();
    expect(facts).toEqual({
      id: RUN_ID,
      resource: 'transactions',
      target: 'https://platform.example',
      database: null,
      createdAt: NOW,
      shard: '2/3',
      cohort: 'july',
      turn: 5,
      places: ['/in/transactions-1.csv', '/in/old.csv'],
      isStaged: true,
      isOpen: true,
      hasDoubts: false,
      links: 0,
    });
    expect([version, head]).toEqual([run.header.version, run.report().chain.head]);
  });

  test('changes with what happens to it', async () => {
    const csv = csvFrom('transactions', 'A:1');
    const stateOf = ({ history }: Pick<Awaited<ReturnType<typeof stagedRun>>['run'], 'history'>) => {
      const { isStaged, isOpen, hasDoubts, shard, cohort } = history.facts();
      expect([shard, cohort]).toEqual([null, null]);
      return [isStaged, isOpen, hasDoubts];
    };
    expect(stateOf((await stagedRun('transactions', csv, { limits: null })).run)).toEqual([
      false,
      false,
      false,
    ]);
    const { run } = await stagedRun('transactions', csv);
    expect(stateOf(run)).toEqual([true, true, false]);
    const { run: forgotten } = await stagedRun('transactions', csv);
    forgotten.erasePayloads();
    expect(stateOf(forgotten)).toEqual([true, false, false]);
    await drained(run, new FakePlatform('transactions'));
    expect(stateOf(run)).toEqual([true, false, false]);
    expect(stateOf((await runWithEveryEnd()).run)).toEqual([true, true, true]);
  });
});

test('records of ranges have arrived when all of each have', async () => {
  const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2 B:3 B:4'));
  const refused = { kind: 'answer', applied: false, answer: answer(404, { detail: 'Not found.' }) } as const;
  await drained(run, new FakePlatform('transactions', { 'B#1': refused }), { onReject: 'skip' });
  const haveArrived = (...ranges: readonly (readonly [number, number])[]) =>
    run.history.haveArrived(ranges.map(([first, last]) => ({ first, last })));
  expect(haveArrived()).toBe(true);
  expect(haveArrived([1, 2])).toBe(true);
  expect(haveArrived([1, 1], [2, 2])).toBe(true);
  expect(haveArrived([1, 3])).toBe(false);
  expect(haveArrived([3, 3])).toBe(false);
  expect(haveArrived([1, 2], [4, 4])).toBe(false);
  expect(haveArrived([4, 4], [1, 2])).toBe(false);
});

test('earlier versions that are named count from the next comparison on', async () => {
  const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'));
  expect(run.history.comparedWith()).toBeUndefined();
  run.history.rememberCompared({ other: 3 });
  run.keepSummary(run.report());
  expect(run.history.comparedWith()).toEqual({ other: 3 });
  run.history.replace(['/in/old.csv']);
  expect([run.history.comparedWith(), run.summary]).toEqual([undefined, undefined]);
  expect([...run.history.places()]).toEqual(['/in/transactions-1.csv', '/in/old.csv']);
});

test('a row is a record of another run when account and identity are the same', async () => {
  const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 B:2'));
  const account = { import_supplier: 'ACME', external_account_number: 'A' };
  const record = { ...account, key: '1', variant: '' };
  expect(run.history.has(record)).toBe(true);
  for (const change of [
    { key: '2' },
    { variant: 'x' },
    { external_account_number: 'B' },
    { import_supplier: 'OTHER' },
  ])
    expect([change, run.history.has({ ...record, ...change })]).toEqual([change, false]);
  expect(run.history.has({ ...record, external_account_number: 'B', key: '2' })).toBe(true);
});

test('rows that are not kept are seen as the records of the runs that brought them there', async () => {
  const versions = new Versions('transactions', new FakePlatform('transactions'));
  const first = await versions.send('A:1 A:2 A:3');
  const { id } = await versions.send('A:2 A:3 A:4');
  const run = versions.folder.open(id);
  const see = vi.fn();
  const view = { see } as unknown as HistoryView;
  run.history.markRowsSentBefore((other) => (other === first.id ? 7 : undefined), view);
  expect(see.mock.calls).toEqual([[{ run: 7, seq: 2 }], [{ run: 7, seq: 3 }]]);
  see.mockClear();
  run.history.markRowsSentBefore(() => undefined, view);
  expect(see).not.toHaveBeenCalled();
  run.close();
});

test('what a comparison reports stays when the run is taken up, until the next comparison', async () => {
  const versions = new Versions('transactions', new FakePlatform('transactions'));
  await versions.send('A:1');
  const { id } = await versions.send('A:1 A:2');
  const run = versions.folder.open(id);
  expect(run.history.missesRecords()).toBe(false);
  run.history.report(
    problemWith({ code: 'record_vanished', severity: 'warning', file: 'a.csv', line: null }),
  );
  expect(run.history.missesRecords()).toBe(true);
  takenUp(run);
  expect(run.report().problems).toMatchObject([{ code: 'record_vanished' }]);
  const history = versions.history();
  const scope = { resource: 'transactions', target: 'https://platform.example', database: null } as const;
  run.history.compare(history.viewOf(scope, { resendsRefused: false })!, { now: NOW, idOf: history.idOf });
  expect([run.report().problems, run.history.missesRecords()]).toEqual([[], false]);
  run.close();
});

test('a row that a rule has made invalid is not compared', async () => {
  const versions = new Versions('transactions', new FakePlatform('transactions'));
  await versions.send('A:1');
  const { ends } = await versions.send('A:1 A:2 A:2', { keepsAll: true });
  expect(ends).toEqual(['sent_before', 'invalid', 'invalid']);
});
