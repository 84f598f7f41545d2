import { describe, expect, test } from 'vitest';
import type { Confirmation } from '../../../../src/cli/run-file/history/confirming.ts';
import type { RunFile } from '../../../../src/cli/run-file/run-file.ts';
import { answer } from '../../../support/push-batch.ts';
import { drained } from '../../../support/push-drained.ts';
import { FakePlatform, type Fault } from '../../../support/fake-platform.ts';
import { csvFrom, csvOf, NOW, row, RUN_ID, stagedRun, takenUp } from '../../../support/push-staged-run.ts';
import { Versions } from '../../../support/versions.ts';

const ARRIVED: Confirmation = { verdict: 'arrived', by: 'A. Lead', now: NOW };
const MISSING: Confirmation = { ...ARRIVED, verdict: 'missing' };

/** A statement whose answer was lost, and which the platform then refuses because it exists, has to be verified. */
async function unproven(rows: string, faults: Readonly<Record<string, Fault>>) {
  const { run, folder } = await stagedRun('statements', csvFrom('statements', rows), {
    limits: { records: 1, bytes: 1_000_000 },
  });
  const platform = new FakePlatform('statements', faults);
  await drained(run, platform, { concurrency: 1, onReject: 'skip' });
  return { run, folder, platform };
}

const LOST: Fault = { kind: 'lost', applied: true };

const seqs = (run: RunFile): readonly number[] => [...run.confirming.unresolved()].map(({ seq }) => seq);
const expectWholeChain = (run: RunFile): void => expect(run.proving.chain()).toMatchObject({ broken: null });

describe('the rows that only a person can settle', () => {
  test('are listed with what a person needs to find them', async () => {
    const { run } = await unproven('A:S-1 B:S-2', { 'B#1': LOST });
    expect([...run.confirming.unresolved()]).toEqual([
      {
        seq: 2,
        outcome: 'verify',
        import_supplier: 'ACME',
        external_account_number: 'B',
        id: 'S-2',
        type: null,
        amount: '1010',
        payload: expect.stringContaining('"statement_id":"S-2"') as unknown,
        source: 1,
        line: 3,
        origin: null,
      },
    ]);
  });

  test('are still listed without their texts once these are erased', async () => {
    const { run } = await unproven('A:S-1', { 'A#1': LOST });
    run.erasePayloads();
    expect([...run.confirming.unresolved()]).toMatchObject([{ id: 'S-1', payload: null }]);
  });

  test('are none of those that arrived, were refused, or are still to be sent', async () => {
    const { run } = await stagedRun('statements', csvFrom('statements', 'A:S-1 B:S-2 C:S-3'));
    const errors = [{ detail: 'No.', code: 'invalid', attr: 'statements.0.number' }];
    const refused = { kind: 'answer', applied: false, answer: answer(400, { detail: 'x', errors }) } as const;
    await drained(run, new FakePlatform('statements', { 'B#1': refused }), { concurrency: 1 });
    expect(run.report().rows).toMatchObject({ created: 1, rejected: 1, not_sent: 1 });
    expect(seqs(run)).toEqual([]);
  });
});

describe('a person says that rows arrived', () => {
  test('so they count as confirmed, their errors are gone, and nothing is left', async () => {
    const { run, platform } = await unproven('A:S-1 B:S-2 C:S-3', { 'B#1': LOST });
    expect(run.report()).toMatchObject({ rows: { created: 2, verify: 1 }, errorsTotal: 1 });
    run.confirming.confirm(seqs(run), ARRIVED);
    const report = run.report();
    expect(report.rows).toMatchObject({ read: 3, created: 2, confirmed: 1, verify: 0 });
    expect([report.errorsTotal, run.condition, seqs(run)]).toEqual([0, 'done', []]);
    expect(report.controlTotals).toMatchObject([{ read: '3030', accepted: '3030' }]);
    expectWholeChain(run);
    takenUp(run);
    await drained(run, platform);
    expect(run.report().rows).toMatchObject({ created: 2, confirmed: 1 });
    expect(platform.requestsOf('B')).toBe(2);
  });

  test('and the name and the word are sealed in the chain', async () => {
    const { run } = await unproven('A:S-1', { 'A#1': LOST });
    const before = run.history.facts();
    run.confirming.confirm(seqs(run), ARRIVED);
    const after = run.history.facts();
    expect(after.links).toBe(before.links + 1);
    expectWholeChain(run);
    const { run: other } = await unproven('A:S-1', { 'A#1': LOST });
    expect(other.history.facts().head).toBe(before.head);
    other.confirming.confirm(seqs(other), { ...ARRIVED, by: 'B. Lead' });
    expect(other.history.facts().head).not.toBe(after.head);
  });

  test('of no row changes nothing', async () => {
    const { run } = await unproven('A:S-1', { 'A#1': LOST });
    const { head } = run.history.facts();
    run.confirming.confirm([], ARRIVED);
    expect(run.history.facts().head).toBe(head);
  });
});

describe('a person says that rows are missing', () => {
  test('so they are sent again, as rows of which nothing is known', async () => {
    // The platform says that it has the statement, and has it not: an operator has removed it since.
    const { run } = await unproven('A:S-1 B:S-2', { 'B#1': LOST });
    run.confirming.confirm(seqs(run), MISSING);
    expect(run.report().rows).toMatchObject({ created: 1, verify: 0, not_sent: 1 });
    expect([run.condition, run.report().errorsTotal]).toEqual(['open', 0]);
    expectWholeChain(run);
    takenUp(run);
    const platform = new FakePlatform('statements');
    const { report } = await drained(run, platform);
    expect(report.rows).toMatchObject({ created: 2 });
    expect(platform.contents()).toEqual({ B: ['S-2'] });
    expectWholeChain(run);
  });

  test('and the summary of the run is not true any more', async () => {
    const { run } = await unproven('A:S-1', { 'A#1': LOST });
    run.keepSummary(run.report());
    run.confirming.confirm(seqs(run), MISSING);
    expect(run.summary).toBeUndefined();
  });
});

describe('what a person has confirmed', () => {
  test('is known by later versions: the same is sent before, and something else has changed', async () => {
    const versions = new Versions('statements', new FakePlatform('statements', { 'A#1': LOST }));
    const { id } = await versions.send('A:S-1 B:S-2');
    const run = versions.folder.open(id);
    run.confirming.confirm(seqs(run), ARRIVED);
    run.close();
    const same = await versions.send('A:S-1 B:S-2 C:S-3');
    expect(same.ends).toEqual(['sent_before', 'sent_before', 'created']);
    const changed = csvFrom('statements', 'A:S-1 B:S-2').replace('1010', '2020');
    expect((await versions.send(changed)).ends).toEqual(['record_changed', 'sent_before']);
  });

  test('records the new content of a record that the operator has changed', async () => {
    const versions = new Versions('statements', new FakePlatform('statements'));
    await versions.send('A:S-1');
    const changed = csvFrom('statements', 'A:S-1').replace('1010', '2020');
    const { id, ends } = await versions.send(changed, { skipInvalid: false });
    expect(ends).toEqual(['record_changed']);
    const run = versions.folder.open(id);
    run.confirming.confirm(seqs(run), ARRIVED);
    expect(run.report()).toMatchObject({ rows: { confirmed: 1, invalid: 0 }, errorsTotal: 0 });
    run.close();
    const another = csvOf([
      row.statements('B', 'S-2'),
      { ...row.statements('A', 'S-1'), gross_amount: '2020' },
    ]);
    expect((await versions.send(another)).ends).toEqual(['created', 'sent_before']);
    // The old content is the one that differs now.
    expect((await versions.send('A:S-1 C:S-3')).ends).toEqual(['record_changed', 'created']);
  });

  test('makes the old content another one where its file is put back, until a person says so again', async () => {
    const versions = new Versions('statements', new FakePlatform('statements'));
    const rowsOf = (amount: string) => [
      row.statements('A', 'S-1'),
      row.statements('A', 'S-2'),
      { ...row.statements('A', 'S-3'), gross_amount: amount },
    ];
    const [old, next, last] = ['1', '2', '3'].map((amount) => csvOf(rowsOf(amount))) as [
      string,
      string,
      string,
    ];
    const confirm = (id: string): void => {
      const run = versions.folder.open(id);
      run.confirming.confirm(seqs(run), ARRIVED);
      expectWholeChain(run);
      run.close();
    };
    const { id } = await versions.send(old);
    for (const csv of [next, last]) {
      const changed = await versions.send(csv, { skipInvalid: false });
      expect(changed.ends).toEqual(['sent_before', 'sent_before', 'record_changed']);
      confirm(changed.id);
    }
    // The old content after rows that follow each other as in the first version.
    const more = csvOf([...rowsOf('1'), row.statements('B', 'S-9')]);
    expect((await versions.send(more)).ends).toEqual([
      'sent_before',
      'sent_before',
      'record_changed',
      'created',
    ]);
    for (let times = 0; times < 2; times++) {
      const back = await versions.send(old, { skipInvalid: false });
      expect([back.id, back.ends]).toEqual([id, ['created', 'created', 'record_changed']]);
      expect(back.report).toMatchObject({ rows: { created: 2, invalid: 1 }, errorsTotal: 1 });
    }
    confirm(id);
    expect((await versions.send(old)).ends).toEqual(['created', 'created', 'confirmed']);
    expect((await versions.send(last)).ends).toEqual(['sent_before', 'sent_before', 'record_changed']);
  });

  test('and its account: a record that has moved is neither moved nor gone any more', async () => {
    const versions = new Versions('statements', new FakePlatform('statements'));
    await versions.send('A:S-1 C:S-3');
    const { id, ends } = await versions.send('B:S-1 C:S-3', { skipInvalid: false });
    expect(ends).toEqual(['record_moved', 'sent_before']);
    const run = versions.folder.open(id);
    run.confirming.confirm(seqs(run), ARRIVED);
    run.close();
    const after = await versions.send('B:S-1 C:S-3 C:S-4');
    expect(after.ends).toEqual(['sent_before', 'sent_before', 'created']);
    expect(after.report.problemsTotal).toBe(0);
  });

  test('as missing is sent by another version, too', async () => {
    const platform = new FakePlatform('statements', { 'A#1': LOST });
    const versions = new Versions('statements', platform);
    const { id } = await versions.send('A:S-1');
    const run = versions.folder.open(id);
    run.confirming.confirm(seqs(run), MISSING);
    run.close();
    const before = platform.received.length;
    await versions.send('A:S-1 B:S-2');
    expect(platform.received.slice(before).map(({ account }) => account)).toEqual(['A', 'B']);
  });
});

test('a record is found by its account and identity', async () => {
  const { run } = await unproven('A:S-1 B:S-2', {});
  const account = { import_supplier: 'ACME', external_account_number: 'B' };
  const identity = run.confirming.identityOf(2);
  expect(run.confirming.seqOf(account, identity)).toBe(2);
  expect(run.confirming.seqOf({ ...account, external_account_number: 'A' }, identity)).toBeUndefined();
  expect(run.header.id).toBe(RUN_ID);
});
