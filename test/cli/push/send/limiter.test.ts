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
const LOCAL = failed({ cause: 'no_connection' });
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
      const { limit } = limiter.atOnce();
      await answer(...times(limit, taking(tookMs(limit))));
    }
    return limiter.atOnce().limit;
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

  test('stays near the number that a platform works on at once', async () => {
    const near20 = await limitAfter(300, 256, (limit) => Math.max(20, limit));
    expect(near20).toBeGreaterThanOrEqual(32);
    expect(near20).toBeLessThanOrEqual(36);
  });

  test('is not reduced below its start by answers that only take longer', async () => {
    let round = 0;
    expect(await limitAfter(60, 64, () => (round++ === 0 ? 20 : 1_000))).toBe(16);
  });

  test('is not changed by a few slow answers', async () => {
    const { limiter, answer } = limiterOf({ concurrency: 64 });
    await answer(...times(16, SUCCEEDED));
    await answer(...times(15, taking(5_000)), ...times(17, SUCCEEDED));
    expect(limiter.atOnce().limit).toBe(64);
  });

  test('is halved by an overload, once by all the requests that were in flight together', async () => {
    const { limiter, acquire, release, answer, events } = limiterOf();
    await acquire('a', 'b', 'c');
    for (const name of ['a', 'b', 'c']) release(name, OVERLOADED);
    expect(limiter.atOnce().limit).toBe(4);
    await answer(...times(2, OVERLOADED));
    expect(limiter.atOnce()).toMatchObject({ limit: 1, because: 'accounts' });
    expect(events).toEqual([
      { kind: 'slowed', from: 8, to: 4, reason: 'status 503' },
      { kind: 'slowed', from: 4, to: 2, reason: 'status 503' },
      { kind: 'slowed', from: 2, to: 1, reason: 'status 503' },
    ]);
  });

  test('grows by one after an overload, and says so until it is as high as before', async () => {
    const { answer, events } = limiterOf({ concurrency: 4 });
    await answer(OVERLOADED, ...times(2 + 3 + 4, SUCCEEDED));
    expect(events.slice(1)).toEqual([
      { kind: 'eased', to: 3, most: 4 },
      { kind: 'eased', to: 4, most: 4 },
    ]);
  });

  test('is no news while it only grows from its start', async () => {
    const { limiter, answer, events } = limiterOf({ concurrency: 64 });
    await answer(...times(16, SUCCEEDED));
    expect([limiter.atOnce().limit, events]).toEqual([32, []]);
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
    const paused = { kind: 'paused', waitMs: 7_000, reason: 'status 429' };
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
      { kind: 'paused', waitMs: 7_000, reason: 'busy' },
      { kind: 'outage', waitMs: 7_000, reason: 'busy' },
    ]);
  });

  test('that is longer than a run waits delays no request', async () => {
    const { acquire, release, limiter } = limiterOf();
    await acquire('a');
    release('a', failed({ askedMs: 600_001 }));
    expect(limiter.pauseMs()).toBe(0);
  });

  test.each([
    [3_000.4, 'a at 3001', [2_001]],
    [1_001, 'a at 1001', [1]],
    [1_000, 'a at 1000', []],
  ])('before the run, until %d, is kept and told', async (pausedUntilMs, expected, waits) => {
    const timing = virtualTiming();
    await timing.sleep(1_000);
    const { acquire, acquired, events } = limiterOf({ pausedUntilMs }, timing);
    await acquire('a');
    await settled();
    expect(acquired).toEqual([expected]);
    const reason = 'it answered so before the first request';
    expect(events).toEqual(
      waits.flatMap((waitMs) => [{ kind: 'paused', waitMs, reason }, { kind: 'resumed' }]),
    );
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
    ['answers that prove nothing', times(30, failed({ cause: 'unproven' })), false],
    ['a refusal of a new token', [failed({ probeInMs: 5_000 })], true],
  ])('%s', async (_, uses, isOutage) => {
    const { answer, events } = limiterOf();
    await answer(...uses);
    expect(events.some(({ kind }) => kind === 'outage')).toBe(isOutage);
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
      { kind: 'outage', waitMs: 500, reason: 'status 500' },
      { kind: 'outage', waitMs: 1_000, reason: 'status 500' },
      { kind: 'recovered' },
    ]);
  });

  test('waits at most 20 s between two requests', async () => {
    const { answer, events } = await down();
    await answer(...times(7, failed()));
    const waits = events.map((event) => (event as { waitMs?: number }).waitMs);
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
  });

  test('is forgotten after a good answer', async () => {
    const { answer, events } = await down();
    await answer(SUCCEEDED, ...times(9, failed()));
    expect(events.map(({ kind }) => kind)).toEqual(['outage', 'recovered']);
  });

  test.each<readonly [string, PermitUse]>([
    ['is not sent after all', { kind: 'unused' }],
    ['finds no connection', LOCAL],
  ])('lets another request begin when the first one %s', async (_, use) => {
    const { acquire, release, acquired } = await down();
    await acquire('a', 'b');
    await settled();
    release('a', use);
    await settled();
    expect(acquired).toEqual(['a at 500', 'b at 500']);
  });

  test('is one for requests that were in flight together, and ends when one of them succeeds', async () => {
    const { acquire, release, events, limiter } = limiterOf();
    await acquire('a', 'b', 'c');
    release('a', failed({ probeInMs: 5_000, reason: 'token refused' }));
    release('b', failed({ probeInMs: 9_000 }));
    expect(limiter.pauseMs()).toBe(5_000);
    release('c', SUCCEEDED);
    const outage = { kind: 'outage', waitMs: 5_000, reason: 'token refused' };
    expect(events).toEqual([outage, { kind: 'recovered' }]);
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

  test.each([1, 7, 50, 333])('of %i a second is kept by all requests together', async (requests) => {
    const { limiter, timing } = limiterOf({ rate: { requests, perMs: 1_000 } });
    const burst = Math.max(1, requests / 10);
    for (let sent = 1; sent <= requests * 2 + 20; sent++) {
      limiter.release((await limiter.acquire())!, SUCCEEDED);
      expect(sent).toBeLessThanOrEqual(burst + (timing.elapsedMs * requests) / 1_000 + 1e-6);
    }
  });

  test('does not save up while nothing is sent', async () => {
    const { limiter, timing } = limiterOf({ rate: { requests: 10, perMs: 1_000 } });
    await timing.sleep(3_600_000);
    await limiter.acquire();
    await limiter.acquire();
    expect(timing.elapsedMs).toBe(3_600_100);
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

  test('is refused when no request may begin', async () => {
    const { limiter, acquire, release, permitOf, stopping } = limiterOf();
    await acquire('a', 'b', 'c');
    release('b', failed({ askedMs: 1_000 }));
    expect(limiter.exchange(permitOf('a'), 20)).toBeUndefined();
    stopping.abort();
    expect(limiter.exchange(permitOf('c'), 20)).toBeUndefined();
  });
});

test('when the run stops, waiting and later requests are turned away', async () => {
  const { acquire, stopping, acquired } = limiterOf({ concurrency: 1 });
  await acquire('a', 'b');
  stopping.abort();
  await acquire('c');
  expect(acquired).toEqual(['a at 0', 'b closed', 'c closed']);
});

test('a clock that fails rejects every waiting request', async () => {
  const timing = { ...virtualTiming(), sleep: () => Promise.reject(new Error('no clock')) };
  const { limiter } = limiterOf({ rate: { requests: 1, perMs: 1_000 } }, timing);
  await limiter.acquire();
  await expect(limiter.acquire()).rejects.toThrow('no clock');
});

describe('why no more requests are in flight', () => {
  test('is that there are no more accounts, or that the limit is the most', async () => {
    const { limiter, acquire } = limiterOf({ concurrency: 2 });
    await acquire('a');
    expect(limiter.atOnce()).toEqual({ inFlight: 1, limit: 2, most: 2, because: 'accounts' });
    await acquire('b');
    expect(limiter.atOnce()).toEqual({ inFlight: 2, limit: 2, most: 2, because: 'most' });
  });

  test('is that the limit still grows, or that the platform is overloaded', async () => {
    const { limiter, acquire, release } = limiterOf({ concurrency: 64 });
    await acquire(...Array.from({ length: 16 }, (_, index) => `a${index}`));
    expect(limiter.atOnce()).toEqual({ inFlight: 16, limit: 16, most: 64, because: 'growing' });
    release('a0', OVERLOADED);
    expect(limiter.atOnce()).toEqual({ inFlight: 15, limit: 8, most: 64, because: 'throttled' });
  });

  test('is the rate, while a request waits for it alone', async () => {
    const rate = { requests: 2, perMs: 1_000 };
    const { limiter } = limiterOf({ rate });
    void limiter.acquire();
    expect(limiter.atOnce().because).toBe('accounts');
    void limiter.acquire();
    expect(limiter.atOnce()).toMatchObject({ inFlight: 1, because: 'rate' });
  });
});

describe('a machine that can open no connection', () => {
  test('knows since when, until an answer comes', async () => {
    const { limiter, acquire, release, timing } = limiterOf();
    await acquire('a', 'b', 'c', 'd', 'e');
    expect(limiter.unconnectedMs()).toBe(0);
    release('a', LOCAL);
    await timing.sleep(500);
    release('b', LOCAL);
    await timing.sleep(100);
    expect(limiter.unconnectedMs()).toBe(600);
    release('c', SUCCEEDED);
    expect(limiter.unconnectedMs()).toBe(0);
    release('d', LOCAL);
    await timing.sleep(100);
    release('e', failed());
    expect(limiter.unconnectedMs()).toBe(0);
  });

  test('sends less, and says nothing about the platform', async () => {
    const { limiter, answer, events } = limiterOf();
    await answer(...times(12, LOCAL));
    expect([limiter.atOnce().limit, limiter.pauseMs(), events]).toEqual([1, 0, []]);
  });
});
