import { describe, expect, test } from 'vitest';
import type { PushEvent } from '../../../../src/cli/push/events.ts';
import {
  Limiter,
  type LimiterLimits,
  type Permit,
  type PermitUse,
} from '../../../../src/cli/push/send/limiter.ts';
import { quiet } from '../../../support/push-drained.ts';
import { virtualTiming, type VirtualTiming } from '../../../support/virtual-timing.ts';

type Failed = Extract<PermitUse, { kind: 'failed' }>;

const failed = (changes: Partial<Failed> = {}): Failed => ({
  kind: 'failed',
  cause: 'failure',
  askedMs: 0,
  reason: 'status 500',
  ...changes,
});
const OVERLOADED = failed({ cause: 'overload', reason: 'status 503' });
const UNPROVEN = failed({ cause: 'unproven' });
const SUCCEEDED = { kind: 'succeeded', tookMs: 20 } as const;

/** A limiter, its events, and which requests acquired a permit when. */
function limiterOf(limits: Partial<LimiterLimits> = {}, timing: VirtualTiming = virtualTiming()) {
  const stopping = new AbortController();
  const events: PushEvent[] = [];
  const acquired: string[] = [];
  const permits = new Map<string, Permit>();
  const emit = (event: PushEvent): void => void events.push(event);
  const limiter = new Limiter({ concurrency: 8, ...limits }, { timing, emit, stopping: stopping.signal });
  return {
    limiter,
    timing,
    stopping,
    events,
    acquired,
    /** Requests ask for a permit; the results are in `acquired`. */
    async acquire(...names: readonly string[]): Promise<void> {
      for (const name of names)
        void limiter.acquire().then((permit) => {
          if (permit) permits.set(name, permit);
          acquired.push(permit ? `${name} at ${timing.elapsedMs}` : `${name} closed`);
        });
      await quiet();
    },
    release: (name: string, use: PermitUse): void => limiter.release(permits.get(name)!, use),
    permitOf: (name: string): Permit => permits.get(name)!,
    /** Requests that begin and end one after the other. */
    async answer(...uses: readonly PermitUse[]): Promise<void> {
      for (const use of uses) limiter.release((await limiter.acquire())!, use);
    },
  };
}

const times = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value);

/** Waits until nothing happens any more by itself. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await quiet();
}

test('no more requests than the limit get a permit, first come first served', async () => {
  const { acquire, release, acquired } = limiterOf({ concurrency: 2 });
  await acquire('a', 'b', 'c', 'd');
  expect(acquired).toEqual(['a at 0', 'b at 0']);
  release('b', SUCCEEDED);
  await quiet();
  expect(acquired).toEqual(['a at 0', 'b at 0', 'c at 0']);
});

describe('the limit of requests in flight', () => {
  const taking = (tookMs: number): PermitUse => ({ kind: 'succeeded', tookMs });

  /** The limit after decisions, each after as many answers as the limit is high. */
  async function limitAfter(decisions: number, most: number, tookMs: (limit: number) => number) {
    const { limiter, answer } = limiterOf({ concurrency: most });
    for (let decision = 0; decision < decisions; decision++) {
      const { limit } = limiter;
      await answer(...times(limit, taking(tookMs(limit))));
    }
    return limiter.limit;
  }

  test.each([
    [0, 1, 1],
    [0, 4, 4],
    [0, 256, 16],
    [1, 256, 32],
    [2, 256, 64],
    [3, 100, 100],
    [9, 100, 100],
  ])('after %i rounds of answers that take no longer, of at most %i, is %i', async (rounds, most, limit) => {
    expect(await limitAfter(rounds, most, () => 20)).toBe(limit);
  });

  test('goes back when answers take longer, and then grows by one', async () => {
    const slowAbove32 = (limit: number): number => (limit > 32 ? 100 : 20);
    expect(await limitAfter(3, 256, slowAbove32)).toBe(32);
    expect(await limitAfter(4, 256, slowAbove32)).toBe(33);
    expect(await limitAfter(5, 256, slowAbove32)).toBe(32);
  });

  test('is halved by an overload, once by all the requests that were in flight together', async () => {
    const { limiter, acquire, release, answer } = limiterOf();
    await acquire('a', 'b', 'c');
    for (const name of ['a', 'b', 'c']) release(name, OVERLOADED);
    expect(limiter.limit).toBe(4);
    await answer(...times(2, OVERLOADED));
    expect(limiter.limit).toBe(1);
  });

  test('grows by one after an overload', async () => {
    const { limiter, answer } = limiterOf({ concurrency: 5 });
    await answer(OVERLOADED, SUCCEEDED, SUCCEEDED);
    expect(limiter.limit).toBe(3);
  });
});

describe('a wait that the platform asks for', () => {
  test('applies to every request, and is reported', async () => {
    const { limiter, acquire, release, acquired, events } = limiterOf();
    await acquire('a', 'b');
    release('a', failed({ askedMs: 7_000, reason: 'status 429' }));
    expect(limiter.pauseMs()).toBe(7_000);
    release('b', SUCCEEDED);
    await acquire('c');
    await settled();
    expect(acquired.at(-1)).toBe('c at 7000');
    const paused = { kind: 'paused', waitMs: 7_000, isOutage: false, reason: 'status 429' };
    expect(events).toEqual([paused]);
    release('c', SUCCEEDED);
    expect(events).toEqual([paused, { kind: 'resumed' }]);
  });

  test('is not shortened by a shorter wait', async () => {
    const { acquire, release, acquired } = limiterOf();
    await acquire('a', 'b');
    release('a', failed({ askedMs: 7_000 }));
    release('b', failed({ askedMs: 1_000 }));
    await acquire('c');
    await settled();
    expect(acquired.at(-1)).toBe('c at 7000');
  });

  test('is not shortened by an outage', async () => {
    const { acquire, release, events } = limiterOf();
    await acquire('a');
    release('a', failed({ probeInMs: 5_000, askedMs: 7_000, reason: 'busy' }));
    expect(events).toEqual([
      { kind: 'paused', waitMs: 7_000, isOutage: false, reason: 'busy' },
      { kind: 'paused', waitMs: 7_000, isOutage: true, reason: 'busy' },
    ]);
  });
});

describe('an outage', () => {
  /** Ten failures in a row. */
  async function down() {
    const given = limiterOf({ concurrency: 10 });
    await given.answer(...times(10, failed()));
    return given;
  }

  test.each([
    ['nine failures in a row', times(9, failed()), false],
    ['ten', times(10, failed()), true],
    ['ten that a good answer interrupts', [...times(9, failed()), SUCCEEDED, ...times(9, failed())], false],
    [
      'a lone failure in twenty, again and again',
      times(20, [failed(), ...times(19, SUCCEEDED)]).flat(),
      false,
    ],
    ['answers that prove nothing', times(30, UNPROVEN), false],
    ['a refusal of a new token', [failed({ probeInMs: 5_000 })], true],
  ])('%s', async (_, uses, isOutage) => {
    const { answer, events } = limiterOf();
    await answer(...uses);
    expect(events.some((event) => event.kind === 'paused' && event.isOutage)).toBe(isOutage);
  });

  test('lets one request at a time begin, each after a longer wait, until one is answered well', async () => {
    const { limiter, acquire, release, acquired, events } = await down();
    await acquire('a', 'b', 'c', 'd');
    await settled();
    expect(limiter.downFromMs()).toBe(0);
    expect(acquired).toEqual(['a at 500']);
    release('a', failed());
    await settled();
    expect(acquired).toEqual(['a at 500', 'b at 1500']);
    release('b', SUCCEEDED);
    await settled();
    expect(acquired).toEqual(['a at 500', 'b at 1500', 'c at 1500', 'd at 1500']);
    expect(limiter.downFromMs()).toBe(Infinity);
    expect(events).toEqual([
      { kind: 'paused', waitMs: 500, isOutage: true, reason: 'status 500' },
      { kind: 'paused', waitMs: 1_000, isOutage: true, reason: 'status 500' },
      { kind: 'resumed' },
    ]);
  });

  test.each<readonly [string, PermitUse]>([
    ['is not sent after all', { kind: 'unused' }],
    ['gets an answer that proves nothing', UNPROVEN],
  ])('lets another request begin when the first one %s', async (_, use) => {
    const { acquire, release, acquired } = await down();
    await acquire('a', 'b');
    await settled();
    release('a', use);
    await settled();
    expect(acquired).toEqual(['a at 500', 'b at 500']);
  });
});

describe('a rate', () => {
  test.each([
    ['4/s', { requests: 4, perMs: 1_000 }, [0, 250, 500, 750, 1_000]],
    ['30/m', { requests: 30, perMs: 60_000 }, [0, 2_000, 4_000]],
    [
      'the requests of a tenth of a second at once, so that a late timer costs nothing',
      { requests: 20, perMs: 1_000 },
      [0, 0, 50, 100],
    ],
  ])('%s', async (_, rate, expected) => {
    const { limiter, timing } = limiterOf({ rate, concurrency: 64 });
    const begins: number[] = [];
    for (let request = 0; request < expected.length; request++) {
      await limiter.acquire();
      begins.push(timing.elapsedMs);
    }
    expect(begins).toEqual(expected);
  });

  test('counts no permit that was not used', async () => {
    const { acquire, release, acquired } = limiterOf({ rate: { requests: 2, perMs: 1_000 } });
    await acquire('a', 'b', 'c');
    await settled();
    expect(acquired).toEqual(['a at 0', 'b at 500', 'c at 1000']);
    release('c', { kind: 'unused' });
    await acquire('d');
    expect(acquired.at(-1)).toBe('d at 1000');
  });

  test('does not save up while nothing is sent', async () => {
    const { limiter, timing } = limiterOf({ rate: { requests: 10, perMs: 1_000 } });
    await timing.sleep(3_600_000);
    await limiter.acquire();
    await limiter.acquire();
    expect(timing.elapsedMs).toBe(3_600_100);
  });
});

describe('an exchanged permit', () => {
  test('goes before waiting requests, if any request may begin', async () => {
    const { limiter, acquire, acquired, permitOf } = limiterOf({ concurrency: 1 });
    await acquire('a', 'b');
    const next = limiter.exchange(permitOf('a'), 20);
    await quiet();
    expect(acquired).toEqual(['a at 0']);
    limiter.release(next!, { kind: 'unused' });
    await quiet();
    expect(acquired).toEqual(['a at 0', 'b at 0']);
  });
});

test('when the run stops, waiting and later requests are turned away', async () => {
  const { acquire, stopping, acquired } = limiterOf({ concurrency: 1 });
  await acquire('a', 'b');
  stopping.abort();
  await acquire('c');
  expect(acquired).toEqual(['a at 0', 'b closed', 'c closed']);
});
