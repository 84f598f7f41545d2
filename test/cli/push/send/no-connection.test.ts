import { describe, expect, test } from 'vitest';
import type { Platform, PlatformAnswer } from '../../../../src/cli/push/ports/platform.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { drained } from '../../../support/push-drained.ts';
import { csvFrom, stagedRun } from '../../../support/push-staged-run.ts';

const reason = 'too many files are open; `ulimit -n` shows how many may be (EMFILE)';
const LOCAL: PlatformAnswer = { kind: 'not_sent', reason, isLocal: true };

/** A machine that can open no connection for some requests. `isShort`: whether the nth request, from 1, finds none. */
function machine(isShort: (request: number) => boolean): { platform: Platform; stored: FakePlatform } {
  const stored = new FakePlatform('transactions');
  let requests = 0;
  return {
    stored,
    platform: {
      send: (request) => (isShort(++requests) ? Promise.resolve(LOCAL) : stored.send(request)),
    },
  };
}

const ROWS = 'A:1 B:2 C:3 D:4 A:5';

describe('a machine that can open no connection', () => {
  test('ends the run after seconds, in its own words and with nothing sent', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', ROWS));
    const { platform } = machine(() => true);
    const { end, report, waits, events } = await drained(run, platform, {
      concurrency: 4,
      retryForMs: 900_000,
    });
    expect(end.reason).toEqual({
      code: 'machine_exhausted',
      facts: { reason: `no connection can be opened: ${reason}` },
    });
    expect(report.rows).toMatchObject({ not_sent: 5, unknown: 0 });
    expect(waits.reduce((total, waitMs) => total + waitMs, 0)).toBeLessThan(60_000);
    // The connection is the cause. No event may blame the platform.
    expect(events.map(({ kind }) => kind)).not.toContain('paused');
    expect(events.map(({ kind }) => kind)).not.toContain('slowed');
  });

  test('ends the run in the same words when --retry-for is shorter', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', ROWS));
    const { end } = await drained(run, machine(() => true).platform, { retryForMs: 1_000 });
    expect(end.reason).toEqual({
      code: 'machine_exhausted',
      facts: { reason: `no connection can be opened: ${reason}` },
    });
  });

  test('delays a run that still gets answers', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', ROWS));
    const { platform, stored } = machine((request) => request % 3 !== 0);
    const { end, report } = await drained(run, platform, { concurrency: 4, retryForMs: 900_000 });
    expect(end.kind).toBe('finished');
    expect(report.rows.created).toBe(5);
    expect(stored.contents()).toEqual({ A: ['1', '5'], B: ['2'], C: ['3'], D: ['4'] });
  });
});
