import { describe, expect, test } from 'vitest';
import { RunCourse } from '../../../../src/cli/output/progress/run-course.ts';
import type { PushEvent } from '../../../../src/cli/push/events.ts';

const PLANNED = { kind: 'planned', records: 10_000 } as const;
const PAUSED = { kind: 'paused', waitMs: 30_000, isOutage: false, reason: 'status 429' } as const;

/** A run on a clock that the test moves. */
function courseOf(planned: PushEvent = PLANNED) {
  const course = new RunCourse();
  let nowMs = 0;
  const events = (...happened: readonly PushEvent[]): void => {
    for (const event of happened) course.apply(event, nowMs);
  };
  events(planned);
  return {
    events,
    pass: (seconds: number) => void (nowMs += seconds * 1_000),
    /** Each second a request with five records is answered. */
    answers(seconds: number) {
      for (let second = 0; second < seconds; second++) {
        nowMs += 1_000;
        events({ kind: 'settled', outcomes: { created: 5 } });
      }
    },
    shown: () => ({
      leftSeconds: (course.leftMs(nowMs) ?? NaN) / 1_000,
      rows: course.rowsPerSecond(nowMs),
    }),
  };
}

/** Five rows a second, with so many rows left. */
const steady = (left: number) => ({ leftSeconds: left / 5, rows: 5 });

describe('the time left and the rate of a run', () => {
  test('are not changed by a pause', () => {
    const run = courseOf();
    run.answers(30);
    expect(run.shown()).toEqual(steady(9_850));
    run.events(PAUSED);
    run.pass(40);
    run.events({ kind: 'resumed' });
    expect(run.shown()).toEqual(steady(9_850));
    run.answers(30);
    expect(run.shown()).toEqual(steady(9_700));
  });

  test('are those of its own command', () => {
    const run = courseOf({ ...PLANNED, settled: { created: 400, existing: 100 } });
    run.answers(20);
    expect(run.shown()).toEqual(steady(9_900));
  });

  test('leave the time out in which no account is ready', () => {
    const run = courseOf();
    run.events({ kind: 'idle', isIdle: true });
    run.pass(3_600);
    run.events({ kind: 'idle', isIdle: false });
    run.answers(30);
    run.events({ kind: 'idle', isIdle: true });
    run.pass(600);
    expect(run.shown()).toEqual({ leftSeconds: NaN, rows: undefined });
    run.events({ kind: 'idle', isIdle: false });
    expect(run.shown()).toEqual(steady(9_850));
  });
});
