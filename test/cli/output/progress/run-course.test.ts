import { describe, expect, test } from 'vitest';
import { RunCourse } from '../../../../src/cli/output/progress/run-course.ts';
import type { PushEvent } from '../../../../src/cli/push/events.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { answer } from '../../../support/push-batch.ts';
import { drained } from '../../../support/push-drained.ts';
import { csvFrom, stagedRun } from '../../../support/push-staged-run.ts';
import { virtualTiming } from '../../../support/virtual-timing.ts';

const PLANNED = { kind: 'planned', records: 10_000, batches: 2_000, accounts: 100 } as const;
const OUTAGE = { kind: 'outage', waitMs: 1_000, reason: 'status 503' } as const;
const PAUSED = { kind: 'paused', waitMs: 30_000, reason: 'status 429' } as const;

/** A run on a clock that the test moves. */
function courseOf(planned: PushEvent = PLANNED) {
  const course = new RunCourse();
  let nowMs = 0;
  const events = (...happened: readonly PushEvent[]): void => {
    for (const event of happened) course.apply(event, nowMs);
  };
  events(planned);
  return {
    course,
    events,
    pass: (seconds: number) => void (nowMs += seconds * 1_000),
    /** Each second a request with five records is answered. */
    answers(seconds: number) {
      for (let second = 0; second < seconds; second++) {
        nowMs += 1_000;
        events({ kind: 'settled', outcomes: { created: 5 } });
      }
    },
    /** A request fails again and again. Its waits are those that the retry loop makes, in seconds. */
    fails(...waits: readonly number[]) {
      for (const wait of waits) {
        events({ kind: 'retry', account: 'A', attempt: 2, waitMs: wait * 1_000, reason: 'status 503' });
        nowMs += wait * 1_000;
      }
    },
    shown: () => ({
      leftSeconds: (course.leftMs(nowMs) ?? NaN) / 1_000,
      rows: course.rowsPerSecond(nowMs),
      requests: course.requestsPerSecond(nowMs),
    }),
  };
}

/** Five rows and one request a second, with so many rows left. */
const steady = (left: number) => ({ leftSeconds: left / 5, rows: 5, requests: 1 });

describe('the time left and the rates count only the time in which the platform answered', () => {
  test('when it always answers, that is all the time', () => {
    const run = courseOf();
    run.answers(100);
    expect(run.shown()).toEqual(steady(9_500));
  });

  test('after an outage of 79 s they are what they were before', () => {
    const run = courseOf();
    run.answers(20);
    expect(run.shown()).toEqual(steady(9_900));
    run.events(OUTAGE);
    run.pass(79);
    run.events({ kind: 'recovered' });
    expect(run.shown()).toEqual(steady(9_900));
    run.answers(10);
    expect(run.shown()).toEqual(steady(9_850));
  });

  test('without the report of the outage they would be diluted', () => {
    const run = courseOf();
    run.answers(20);
    run.pass(79);
    expect(run.shown()).toEqual({ leftSeconds: 9_801, rows: 100 / 99, requests: 20 / 99 });
  });

  test('an outage counts from the last answer on, also when it is known only later', () => {
    const run = courseOf();
    run.answers(60);
    // Requests in flight time out before anybody knows of the outage.
    run.pass(30);
    run.events(OUTAGE);
    run.pass(49);
    run.events({ kind: 'recovered' });
    expect(run.shown()).toEqual(steady(9_700));
  });

  test('two outages in the three minutes are left out, and so are the requests that failed in them', () => {
    const run = courseOf();
    for (const seconds of [79, 41]) {
      run.answers(40);
      run.events(OUTAGE);
      run.fails(1, 2, seconds - 3);
      run.events({ kind: 'recovered' });
    }
    expect(run.shown()).toEqual(steady(9_600));
    run.answers(140);
    expect(run.shown()).toEqual(steady(8_900));
  });

  test('a wait that the platform asks for is left out, also when an outage begins in it', () => {
    const run = courseOf();
    run.answers(30);
    run.events(PAUSED);
    run.pass(30);
    run.events({ kind: 'resumed' });
    run.answers(30);
    run.events(PAUSED);
    run.pass(5);
    run.events(OUTAGE);
    run.pass(25);
    run.events({ kind: 'resumed' });
    run.pass(10);
    run.events({ kind: 'recovered' });
    expect(run.shown()).toEqual(steady(9_700));
  });

  test('answers that were in flight when the platform asked to wait count, and their time does not', () => {
    const run = courseOf();
    run.answers(50);
    run.events(PAUSED);
    run.answers(2);
    run.pass(28);
    run.events({ kind: 'resumed' });
    // Both of the requests that take their places need a second, too.
    run.pass(2);
    expect(run.shown()).toEqual(steady(9_740));
  });

  test('a continued run has the rate of its own command', () => {
    const run = courseOf({ ...PLANNED, settled: { created: 400, existing: 100 } });
    run.events(PAUSED);
    run.pass(30);
    run.events({ kind: 'resumed' });
    run.answers(20);
    run.events(OUTAGE);
    run.pass(79);
    run.events({ kind: 'recovered' });
    expect(run.shown()).toEqual(steady(9_900));
  });

  test('the time in which no account is ready is left out', () => {
    const run = courseOf();
    run.events({ kind: 'idle', isIdle: true });
    run.pass(3_600);
    run.events({ kind: 'idle', isIdle: false });
    run.answers(30);
    run.events({ kind: 'idle', isIdle: true });
    run.pass(600);
    expect(run.shown()).toEqual({ leftSeconds: NaN, rows: undefined, requests: undefined });
    run.events({ kind: 'idle', isIdle: false });
    expect(run.shown()).toEqual(steady(9_850));
  });
});

describe('one request at a time, which reports no outage for minutes', () => {
  test('leaves a silence of more than 20 s out, from the last answer to the attempt that is answered', () => {
    const run = courseOf();
    run.answers(20);
    run.fails(1, 2, 4, 8, 16, 20, 20, 8);
    expect(run.shown()).toMatchObject({ leftSeconds: 1_980, rows: 5 });
    run.answers(10);
    expect(run.shown()).toMatchObject({ leftSeconds: 1_970, rows: 5 });
  });

  test('counts shorter silences, because the next minutes will have them, too', () => {
    const run = courseOf();
    for (let each = 0; each < 10; each++) {
      run.answers(9);
      run.fails(1);
    }
    expect(run.shown()).toEqual({ leftSeconds: 9_550 / 4.5, rows: 4.5, requests: 1 });
  });
});

describe('the engine, with a platform that is down from the 60th second on for 79 s', () => {
  /** The first time left that is shown after the outage, and the last one before. A row is a request of one second. */
  async function leftAround(concurrency: number, refusal: ReturnType<typeof answer>) {
    const timing = virtualTiming();
    const names = Array.from(
      { length: 20 * concurrency * 10 },
      (_, row) => `A${row % (concurrency * 10)}:${row}`,
    );
    const limits = { records: 1, bytes: 1_000_000 };
    const { run } = await stagedRun('transactions', csvFrom('transactions', names.join(' ')), { limits });
    const inner = new FakePlatform('transactions');
    const course = new RunCourse();
    course.apply({ ...PLANNED, records: names.length }, 0);
    const left = { beforeMs: NaN, afterMs: NaN };
    await drained(
      run,
      {
        async send(request) {
          const isDown = timing.elapsedMs >= 60_000 && timing.elapsedMs < 139_000;
          await timing.sleep(isDown ? 10 : 1_000);
          return isDown ? refusal : inner.send(request);
        },
      },
      {
        concurrency,
        retryForMs: 900_000,
        timing,
        emit(event) {
          course.apply(event, timing.elapsedMs);
          const shown = course.leftMs(timing.elapsedMs);
          if (event.kind !== 'settled' || shown === undefined) return;
          if (timing.elapsedMs < 61_000) left.beforeMs = shown;
          else if (Number.isNaN(left.afterMs)) left.afterMs = shown;
        },
      },
    );
    return left;
  }

  test.each([
    ['eight requests at once', 8, answer(500)],
    ['eight requests at once, and a wait that it asks for', 8, answer(503, '', { 'retry-after': '30' })],
    ['one request at once', 1, answer(500)],
  ])('shows the time left of before right after it, with %s', async (_, concurrency, refusal) => {
    const { beforeMs, afterMs } = await leftAround(concurrency, refusal);
    expect(beforeMs).toBeGreaterThan(100_000);
    expect(Math.abs(afterMs - beforeMs)).toBeLessThan(5_000);
  });
});
