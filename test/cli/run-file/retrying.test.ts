import { readFileSync } from 'node:fs';
import { onTestFinished, describe, expect, test } from 'vitest';
import { planRetried } from '../../../src/cli/push/plan.ts';
import { RETRIED, type Retried } from '../../../src/cli/run-file/retrying.ts';
import type { RunFile } from '../../../src/cli/run-file/run-file.ts';
import type { RunsFolder } from '../../../src/cli/run-file/runs-folder.ts';
import type { Resource } from '../../../src/core/contract/resources.ts';
import { answer } from '../../support/push-batch.ts';
import { drained } from '../../support/push-drained.ts';
import { FakePlatform, type Fault } from '../../support/fake-platform.ts';
import {
  csvFrom,
  reopened,
  RUN_ID,
  stagedRun,
  type StagedRunOptions,
} from '../../support/push-staged-run.ts';

const TAKER = '20261122-101502-run-0000';
const LOST_BUT_DONE: Fault = { kind: 'lost', applied: true };
const LOST: Fault = { kind: 'lost', applied: false };
const REFUSED: Fault = {
  kind: 'answer',
  applied: false,
  answer: answer(400, { errors: [{ detail: 'No.', code: 'invalid', attr: 'transactions.0.type' }] }),
};

/** A run that was drained once, with these faults and no time for a second attempt. */
async function drainedOnce(
  resource: Resource,
  rows: string,
  faults: Readonly<Record<string, Fault>>,
  options: StagedRunOptions = {},
) {
  const { run, folder } = await stagedRun(resource, csvFrom(resource, rows), options);
  const platform = new FakePlatform(resource, faults);
  const { report } = await drained(run, platform, { retryForMs: 0, concurrency: 1 });
  return { run, folder, platform, report };
}

/** Lets another run take records over. */
function taking(run: RunFile, folder: RunsFolder, outcomes: readonly Retried[] = RETRIED, again = false) {
  const taken = run.retrying.giveAway({ outcomes, by: TAKER, again });
  const taker = folder.create({ ...run.header, id: TAKER, parent: run.header.id });
  onTestFinished(() => taker.close());
  const inDoubt = taker.retrying.take(run.retrying.givenTo(TAKER));
  const staging = taker.staging();
  taker.index();
  planRetried(staging, { records: 2, bytes: 1_000_000 });
  staging.commit();
  taker.retrying.markInDoubt(inDoubt);
  taker.finishStaging(run.mappedSources);
  return { taken, taker };
}

describe('records in doubt that another run takes over', () => {
  test('are sent with the check for existing ones, and their own run never sends them', async () => {
    const { run, folder, platform, report } = await drainedOnce(
      'transactions',
      'A:1 A:2 A:3 B:4',
      { 'A#1': LOST_BUT_DONE },
      { options: { checkPreviouslyAdded: false } },
    );
    expect(report.rows).toMatchObject({ unknown: 2, not_sent: 2 });
    const { taken, taker } = taking(run, folder);
    expect(taken).toBe(2);
    expect(run.report().rows).toMatchObject({ unknown: 2, not_sent: 2 });
    expect(run.openWork()).toEqual({ records: 2, batches: 2, accounts: 2 });

    const { report: after } = await drained(taker, platform);
    expect(after.rows).toMatchObject({ read: 2, verify: 2 });
    expect(after.problems.map(({ line }) => line)).toEqual([2, 3]);
    run.close();
    const rest = await drained(reopened(folder), platform);
    expect(rest.report.rows).toMatchObject({ created: 2, unknown: 2, not_sent: 0 });
    expect(platform.contents()).toEqual({ A: ['1', '2', '3'], B: ['4'] });
  });

  test('would be added twice without the doubt', async () => {
    const { run, folder, platform } = await drainedOnce(
      'transactions',
      'A:1',
      { 'A#1': LOST_BUT_DONE },
      { options: { checkPreviouslyAdded: false } },
    );
    run.retrying.giveAway({ outcomes: ['unknown'], by: TAKER, again: false });
    const taker = folder.create({ ...run.header, id: TAKER, parent: run.header.id });
    onTestFinished(() => taker.close());
    taker.retrying.take(run.retrying.givenTo(TAKER));
    taker.index();
    const staging = taker.staging();
    planRetried(staging, { records: 2, bytes: 1_000_000 });
    staging.commit();
    taker.finishStaging(run.mappedSources);
    await drained(taker, platform);
    expect(platform.contents()).toEqual({ A: ['1', '1'] });
  });

  test('are sent one by one when they are statements', async () => {
    const { run, folder, platform } = await drainedOnce('statements', 'A:1 A:2', { 'A#1': LOST_BUT_DONE });
    const { taker } = taking(run, folder);
    const { report } = await drained(taker, platform);
    expect(report.rows).toMatchObject({ verify: 2 });
    expect(platform.contents()).toEqual({ A: ['1', '2'] });
  });

  test('are sent unchanged when they are notes', async () => {
    const { run, folder, platform } = await drainedOnce('notes', 'A:1 A:2', { 'A#1': LOST });
    const { taker } = taking(run, folder);
    await drained(taker, platform);
    expect(platform.received[1]!.body).toBe(platform.received[0]!.body);
    expect(platform.contents()['A']).toHaveLength(2);
  });
});

describe('refused records that another run takes over', () => {
  test('keep their problems when the rest of their batch is sent', async () => {
    const { run, folder, platform, report } = await drainedOnce('transactions', 'A:1 A:2 B:3', {
      'A#1': REFUSED,
    });
    expect(report.rows).toMatchObject({ rejected: 1, not_sent: 2 });
    const { taken, taker } = taking(run, folder, ['rejected']);
    expect(taken).toBe(1);
    expect((await drained(taker, platform)).report.rows).toMatchObject({ created: 1 });
    run.close();
    const rest = await drained(reopened(folder), platform);
    expect(rest.end.kind).toBe('finished');
    expect(rest.report.rows).toMatchObject({ created: 2, rejected: 1 });
    expect(rest.report.problems.map(({ line, code }) => [line, code])).toEqual([[2, 'invalid']]);
    expect(platform.contents()).toEqual({ A: ['1', '2'], B: ['3'] });
  });

  test('stay in their run when another outcome is asked for', async () => {
    const { run, folder, platform } = await drainedOnce('transactions', 'A:1 A:2', { 'A#1': REFUSED });
    expect(taking(run, folder, ['verify']).taken).toBe(0);
    run.close();
    const { report } = await drained(reopened(folder), platform);
    expect(report.rows).toMatchObject({ created: 2, rejected: 0 });
  });

  test('are taken once, and a second time only with `again`', async () => {
    const { run, folder } = await drainedOnce('transactions', 'A:1 A:2', { 'A#1': REFUSED });
    expect(taking(run, folder).taken).toBe(1);
    const take = (again: boolean): number =>
      run.retrying.giveAway({ outcomes: RETRIED, by: 'a third run', again });
    expect([take(false), run.retrying.takers()]).toEqual([0, [TAKER]]);
    expect([take(true), run.retrying.takers()]).toEqual([1, ['a third run']]);
  });

  test('keep their payloads until the run that copied them is done', async () => {
    const { run, folder } = await drainedOnce('transactions', 'A:1', { 'A#1': REFUSED });
    taking(run, folder);
    run.eraseSettledPayloads();
    expect([...run.retrying.givenTo(TAKER)]).toHaveLength(1);
    expect(run.state).toBe('staged');
    run.retrying.eraseGivenTo(TAKER);
    expect([...run.retrying.givenTo(TAKER)]).toEqual([]);
    expect([run.state, run.condition]).toEqual(['cleared', 'done']);
  });
});

test('opening a run erases the payloads that a process left when it died', async () => {
  const { run, folder } = await drainedOnce('transactions', 'A:1 A:2 B:3', {});
  run.close();
  const file = folder.fileOf(RUN_ID);
  expect(readFileSync(file).includes('"transaction_id":')).toBe(true);
  folder.open(RUN_ID).close();
  expect(readFileSync(file).includes('"transaction_id":')).toBe(false);
});

test('payloads of settled records are erased', async () => {
  const { run, platform } = await drainedOnce('transactions', 'A:1 A:2 B:3', {});
  expect(platform.received).toHaveLength(2);
  run.eraseSettledPayloads();
  expect([run.state, run.condition]).toEqual(['cleared', 'done']);
});
