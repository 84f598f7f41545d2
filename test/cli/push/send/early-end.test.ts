import { describe, expect, test } from 'vitest';
import { drained } from '../../../support/push-drained.ts';
import { FakePlatform, type Fault } from '../../../support/fake-platform.ts';
import { csvFrom, reopened, stagedRun } from '../../../support/push-staged-run.ts';
import { answer } from '../../../support/push-batch.ts';
import type { Timing } from '../../../../src/cli/push/ports/timing.ts';
import { virtualTiming } from '../../../support/virtual-timing.ts';

describe('--max-duration', () => {
  /** Every request takes one second. */
  async function lasting(
    maxDuration: { readonly wholeMs: number; readonly leftMs: number },
    faults: Readonly<Record<string, Fault>> = {},
  ) {
    const rows = Array.from({ length: 20 }, (_, index) => `A:${index}`).join(' ');
    const { run, folder } = await stagedRun('transactions', csvFrom('transactions', rows), {
      limits: { records: 1, bytes: 1_000_000 },
    });
    const timing = virtualTiming();
    const inner = new FakePlatform('transactions', faults);
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
    expect(end).toEqual({
      kind: 'time_over',
      reason: { code: 'max_duration_over', facts: { time: '9 s' } },
    });
    expect(timing.elapsedMs).toBe(6_000);
    expect(report.rows).toMatchObject({ created: 6, not_sent: 14, unknown: 0 });
    expect(events.at(-2)).toEqual({ kind: 'stopping', reason: 'time_over' });
    run.close();
    const { report: whole } = await drained(reopened(folder), inner);
    expect(whole.rows).toMatchObject({ created: 20 });
  });

  test('is not over for a run whose last answers come after it', async () => {
    const { end, report } = await lasting({ wholeMs: 19_500, leftMs: 19_500 });
    expect(end).toEqual({ kind: 'finished' });
    expect(report.rows).toMatchObject({ created: 20 });
  });

  test('is over for a run whose last answer is a refusal that comes after it', async () => {
    const refused = { kind: 'answer', applied: true, answer: answer(422, { detail: 'x' }) } as const;
    const { end, report } = await lasting({ wholeMs: 19_500, leftMs: 19_500 }, { 'A#20': refused });
    expect(end.kind).toBe('time_over');
    expect(report.rows).toMatchObject({ created: 19, unknown: 1 });
  });

  test('sends nothing when reading took all of the time', async () => {
    const { end, report } = await lasting({ wholeMs: 9_000, leftMs: 0 });
    expect(end.kind).toBe('time_over');
    expect(report.requests.total).toBe(0);
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
    expect((await hourly(0)).end).toMatchObject({
      kind: 'unfinished',
      reason: { facts: { what: 'a request was given up after 1 h 0 min' } },
    });
  });
});
