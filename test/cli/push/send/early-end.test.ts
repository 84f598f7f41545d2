import { describe, expect, test } from 'vitest';
import { drained, quiet } from '../../../support/push-drained.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { csvFrom, reopened, stagedRun } from '../../../support/push-staged-run.ts';
import { answer } from '../../../support/push-batch.ts';
import type { Timing } from '../../../../src/cli/push/ports/timing.ts';
import { virtualTiming } from '../../../support/virtual-timing.ts';

const LOST_BUT_DONE = { kind: 'lost', applied: true } as const;
const staging = {
  limits: { records: 2, bytes: 1_000_000 },
  options: { checkPreviouslyAdded: false },
  choice: { onAmbiguous: 'stop' },
} as const;

describe('--on-ambiguous stop', () => {
  test('ends the run, leaves the batch in doubt, and reports it at its first row', async () => {
    const { run, folder } = await stagedRun(
      'transactions',
      csvFrom('transactions', 'A:1 A:2 A:3 B:4'),
      staging,
    );
    const platform = new FakePlatform('transactions', { 'A#1': LOST_BUT_DONE });
    const { end, report, waits } = await drained(run, platform, { concurrency: 1 });
    expect([end, waits]).toEqual([{ kind: 'unresolved', reason: 'reset' }, []]);
    expect(platform.received).toHaveLength(1);
    expect(report.rows).toMatchObject({ unknown: 2, not_sent: 2 });
    expect(report.problems).toMatchObject([{ code: 'outcome_left_open', line: 2, http_status: null }]);
    run.close();

    // A person has checked the platform and resumes. The batch is sent with the check, so nothing is added twice.
    const again = await drained(reopened(folder), platform);
    expect(again.end.kind).toBe('finished');
    expect(again.report.rows).toMatchObject({ verify: 2, created: 2 });
    expect(again.report.problems.map(({ code }) => code)).toEqual(['outcome_unproven', 'outcome_unproven']);
    expect(platform.contents()).toEqual({ A: ['1', '2', '3'], B: ['4'] });
  });

  test('stops the other accounts before it records, so that none of them sends meanwhile', async () => {
    const rows = csvFrom('transactions', 'A:1 B:2 B:3 B:4');
    const { run } = await stagedRun('transactions', rows, staging);
    const platform = new FakePlatform('transactions', { 'A#1': LOST_BUT_DONE });
    const letAllGo = async (): Promise<void> => {
      for (const account of platform.waiting) platform.letGo(account);
      await quiet();
    };
    platform.hold();
    const ended = drained(run, platform, {
      through: (operations) => ({
        ...operations,
        // Recording takes so long that the answer to B comes before it ends.
        async fail(batch, attempt) {
          await letAllGo();
          await letAllGo();
          return operations.fail(batch, attempt);
        },
      }),
    });
    await quiet();
    expect(platform.waiting).toEqual(['A', 'B']);
    platform.letGo('A');
    expect((await ended).report.rows).toMatchObject({ unknown: 1, created: 2, not_sent: 1 });
    expect(platform.received.map(({ account }) => account)).toEqual(['A', 'B']);
  });

  test('prevents a record that is added twice because the lost request arrived late', async () => {
    // The platform is slow. It applies the lost request after it has looked for and added the second one.
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'), {
      options: { checkPreviouslyAdded: false },
    });
    const platform = new FakePlatform('transactions', { 'A#1': { kind: 'lost', applied: false } });
    await drained(run, platform);
    const { path, body } = platform.received[0]!;
    await platform.send({ method: 'POST', path, body });
    expect(platform.contents()).toEqual({ A: ['1', '1'] });
  });

  test('does not end the run while a batch was surely not applied', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1'), staging);
    const platform = new FakePlatform('transactions', { 'A#1': { kind: 'not_sent' } });
    expect((await drained(run, platform)).end.kind).toBe('finished');
  });
});

describe('--max-duration', () => {
  /** Every request takes one second. */
  async function lasting(maxDuration: { readonly wholeMs: number; readonly leftMs: number }) {
    const rows = Array.from({ length: 20 }, (_, index) => `A:${index}`).join(' ');
    const { run, folder } = await stagedRun('transactions', csvFrom('transactions', rows), {
      limits: { records: 1, bytes: 1_000_000 },
    });
    const timing = virtualTiming();
    const inner = new FakePlatform('transactions');
    const platform = {
      send: async (request: Parameters<FakePlatform['send']>[0]) => {
        await timing.sleep(1_000);
        return inner.send(request);
      },
    };
    return { ...(await drained(run, platform, { timing, maxDuration })), timing, run, folder, inner };
  }

  test('ends the run like an interruption, and the run can be resumed', async () => {
    const { end, report, timing, events, run, folder, inner } = await lasting({
      wholeMs: 9_000,
      leftMs: 5_500,
    });
    expect(end).toEqual({ kind: 'time_over', maxDurationMs: 9_000 });
    expect(timing.elapsedMs).toBe(6_000);
    expect(report.rows).toMatchObject({ created: 6, not_sent: 14, unknown: 0 });
    expect(events.at(-2)).toEqual({ kind: 'stopping', reason: 'interrupted' });
    run.close();
    const { report: whole } = await drained(reopened(folder), inner);
    expect(whole.rows).toMatchObject({ created: 20 });
  });

  test('is not over for a run whose last answers come after it', async () => {
    const { end, report } = await lasting({ wholeMs: 19_500, leftMs: 19_500 });
    expect(end).toEqual({ kind: 'finished' });
    expect(report.rows).toMatchObject({ created: 20 });
  });

  test('sends nothing when reading took all of the time', async () => {
    const { end, report } = await lasting({ wholeMs: 9_000, leftMs: 0 });
    expect(end.kind).toBe('time_over');
    expect(report.requests.total).toBe(0);
  });

  test('does not keep a finished run waiting', async () => {
    const { end, timing } = await lasting({ wholeMs: 60_000, leftMs: 60_000 });
    expect([end.kind, timing.elapsedMs]).toEqual(['finished', 20_000]);
  });
});

describe('--retry-for', () => {
  /** The first answer comes after an hour, in which the process stood still for some of it. */
  async function hourly(stoodStillMs: number) {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 B:2'));
    const timing = virtualTiming();
    const inner = new FakePlatform('transactions', { 'A#1': OVERLOADED });
    const platform = {
      send: async (request: Parameters<FakePlatform['send']>[0]) => {
        if (timing.elapsedMs < HOUR) await timing.sleep(HOUR);
        return inner.send(request);
      },
    };
    const stopped: Timing = {
      ...timing,
      stoodStillMs: () => (timing.monotonicMs() < HOUR ? 0 : stoodStillMs),
    };
    return drained(run, platform, { timing: stopped });
  }
  const HOUR = 3_600_000;
  const OVERLOADED = { kind: 'answer', applied: false, answer: answer(503, '') } as const;

  test('does not run out while the process stands still', async () => {
    expect((await hourly(HOUR)).end).toEqual({ kind: 'finished' });
    expect((await hourly(0)).end).toMatchObject({ kind: 'unfinished', afterMs: HOUR });
  });
});
