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

const failed = (changes: Partial<Extract<PermitUse, { kind: 'failed' }>> = {}): PermitUse => ({
  kind: 'failed',
  overloaded: false,
  askedMs: 0,
  reason: 'status 500',
  ...changes,
});
const SUCCEEDED = { kind: 'succeeded', tookMs: 20 } as const;

/** A limiter, its events, and which requests acquired a permit when. */
function limiterOf(limits: Partial<LimiterLimits> = {}) {
  const timing: VirtualTiming = virtualTiming();
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
    /** A request asks for a permit; the result is in `acquired`. */
    acquire(name: string, untilMs?: number): void {
      void limiter.acquire(untilMs).then((permit) => {
        if (typeof permit === 'string') acquired.push(`${name} ${permit}`);
        else {
          permits.set(name, permit);
          acquired.push(`${name} at ${timing.elapsedMs}`);
        }
      });
    },
    release: (name: string, use: PermitUse): void => limiter.release(permits.get(name)!, use),
    permitOf: (name: string): Permit => permits.get(name)!,
  };
}

/** Waits until nothing happens any more by itself. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await quiet();
}

test('no more requests than the limit get a permit, first come first served', async () => {
  const { acquire, release, acquired } = limiterOf({ concurrency: 2 });
  for (const name of ['a', 'b', 'c', 'd']) acquire(name);
  await quiet();
  expect(acquired).toEqual(['a at 0', 'b at 0']);
  release('b', SUCCEEDED);
  await quiet();
  expect(acquired).toEqual(['a at 0', 'b at 0', 'c at 0']);
});

describe('a wait that the platform asks for', () => {
  test('applies to every request, and is reported', async () => {
    const { limiter, acquire, release, acquired, events } = limiterOf();
    acquire('a');
    acquire('b');
    await quiet();
    release('a', failed({ askedMs: 7_000, reason: 'status 429' }));
    expect([limiter.pauseMs(), limiter.blockedMs()]).toEqual([7_000, 7_000]);
    release('b', SUCCEEDED);
    acquire('c');
    await settled();
    expect(acquired.at(-1)).toBe('c at 7000');
    const paused = { kind: 'paused', waitMs: 7_000, reason: 'status 429' };
    expect(events).toEqual([paused, { kind: 'resumed' }]);
  });

  test('is not shortened by a shorter wait', async () => {
    const { acquire, release, acquired } = limiterOf();
    acquire('a');
    acquire('b');
    await quiet();
    release('a', failed({ askedMs: 7_000 }));
    release('b', failed({ askedMs: 1_000 }));
    acquire('c');
    await settled();
    expect(acquired.at(-1)).toBe('c at 7000');
  });

  test('that is longer than a run waits delays no request', async () => {
    const { acquire, release, limiter } = limiterOf();
    acquire('a');
    await quiet();
    release('a', failed({ askedMs: 600_001 }));
    expect(limiter.pauseMs()).toBe(0);
  });
});

describe('a platform that keeps failing', () => {
  async function broken(limits: Partial<LimiterLimits> = {}) {
    const given = limiterOf({ concurrency: 10, ...limits });
    for (let number = 0; number < 10; number++) {
      given.acquire(`x${number}`);
      await quiet();
      given.release(`x${number}`, failed());
    }
    given.acquired.length = 0;
    return given;
  }

  test('gets one request at a time, each after a longer wait', async () => {
    const { acquire, release, acquired, permitOf, events } = await broken();
    for (const name of ['a', 'b', 'c']) acquire(name);
    await settled();
    expect(acquired).toEqual(['a at 500']);
    expect(permitOf('a').isProbe).toBe(true);
    release('a', failed());
    await settled();
    expect(acquired).toEqual(['a at 500', 'b at 1500']);
    release('b', SUCCEEDED);
    await settled();
    expect(acquired).toEqual(['a at 500', 'b at 1500', 'c at 1500']);
    expect(events).toEqual([
      { kind: 'outage', waitMs: 500, reason: 'status 500' },
      { kind: 'outage', waitMs: 1_000, reason: 'status 500' },
      { kind: 'recovered' },
    ]);
  });

  test('gets another request when the first one is not sent after all', async () => {
    const { acquire, release, acquired, permitOf } = await broken();
    acquire('a');
    acquire('b');
    await settled();
    release('a', { kind: 'unused' });
    await settled();
    expect(acquired).toEqual(['a at 500', 'b at 500']);
    expect(permitOf('b').isProbe).toBe(true);
  });

  test('turns expired requests away, and no others', async () => {
    const { acquire, release, acquired } = await broken();
    acquire('a');
    acquire('expiring', 600);
    acquire('b');
    await settled();
    release('a', failed());
    await settled();
    release('b', failed());
    acquire('later', 1_600);
    await settled();
    expect(acquired).toEqual(['a at 500', 'expiring expired', 'b at 1500', 'later expired']);
  });
});

describe('an overloaded platform', () => {
  test('gets fewer requests, then more again, and both are reported', async () => {
    const { acquire, release, events, acquired } = limiterOf({ concurrency: 4 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) acquire(name);
    await quiet();
    release('a', failed({ overloaded: true, reason: 'status 503' }));
    release('b', failed({ overloaded: true, reason: 'status 503' }));
    await quiet();
    expect(acquired).toHaveLength(4);
    release('c', SUCCEEDED);
    release('d', SUCCEEDED);
    await quiet();
    expect(acquired.at(-1)).toBe('e at 0');
    expect(events).toEqual([
      { kind: 'slowed', from: 4, to: 2, reason: 'status 503' },
      { kind: 'eased', to: 3, most: 4 },
    ]);
  });

  test('is not reported while the limit only grows from its start', async () => {
    const { acquire, release, events } = limiterOf();
    for (let number = 0; number < 40; number++) {
      acquire(`a${number}`);
      await quiet();
      release(`a${number}`, SUCCEEDED);
    }
    expect(events).toEqual([]);
  });
});

test('a rate applies to all requests together, and an unused permit is given back', async () => {
  const { acquire, release, acquired } = limiterOf({ rate: { requests: 2, perMs: 1_000 } });
  for (const name of ['a', 'b', 'c']) acquire(name);
  await settled();
  expect(acquired).toEqual(['a at 0', 'b at 500', 'c at 1000']);
  release('c', { kind: 'unused' });
  acquire('d');
  await settled();
  expect(acquired.at(-1)).toBe('d at 1000');
});

describe('an exchanged permit', () => {
  test('goes before waiting requests, if any request may begin', async () => {
    const { limiter, acquire, acquired, permitOf } = limiterOf({ concurrency: 1 });
    acquire('a');
    acquire('b');
    await quiet();
    const next = limiter.exchange(permitOf('a'), 20);
    expect(next).toBeDefined();
    await quiet();
    expect(acquired).toEqual(['a at 0']);
    limiter.release(next!, { kind: 'unused' });
    await quiet();
    expect(acquired).toEqual(['a at 0', 'b at 0']);
  });

  test('is refused when no request may begin', async () => {
    const { limiter, acquire, release, permitOf } = limiterOf();
    acquire('a');
    acquire('b');
    await quiet();
    release('b', failed({ askedMs: 1_000 }));
    expect(limiter.exchange(permitOf('a'), 20)).toBeUndefined();
  });
});

test('when the run stops, waiting and later requests are turned away', async () => {
  const { acquire, stopping, acquired, limiter, permitOf } = limiterOf({ concurrency: 1 });
  acquire('a');
  acquire('b');
  await quiet();
  stopping.abort();
  acquire('c');
  await quiet();
  expect(acquired).toEqual(['a at 0', 'b closed', 'c closed']);
  expect(limiter.exchange(permitOf('a'), 20)).toBeUndefined();
});

test('a clock that fails rejects every waiting request', async () => {
  const timing = { ...virtualTiming(), sleep: () => Promise.reject(new Error('no clock')) };
  const stopping = new AbortController().signal;
  const rate = { requests: 1, perMs: 1_000 };
  const limiter = new Limiter({ concurrency: 2, rate }, { timing, emit: () => undefined, stopping });
  await limiter.acquire();
  await expect(limiter.acquire()).rejects.toThrow('no clock');
});

describe('why no more requests are in flight', () => {
  test('is that there are no more accounts, or that the limit is the most', async () => {
    const { limiter, acquire } = limiterOf({ concurrency: 2 });
    acquire('a');
    await quiet();
    expect(limiter.atOnce()).toEqual({ inFlight: 1, limit: 2, most: 2, because: 'accounts' });
    acquire('b');
    await quiet();
    expect(limiter.atOnce()).toEqual({ inFlight: 2, limit: 2, most: 2, because: 'most' });
  });

  test('is that the limit still grows, or that the platform is overloaded', async () => {
    const { limiter, acquire, release } = limiterOf({ concurrency: 64 });
    for (let number = 0; number < 16; number++) acquire(`a${number}`);
    await quiet();
    expect(limiter.atOnce()).toEqual({ inFlight: 16, limit: 16, most: 64, because: 'growing' });
    release('a0', failed({ overloaded: true }));
    expect(limiter.atOnce()).toEqual({ inFlight: 15, limit: 11, most: 64, because: 'throttled' });
    expect(limiter.course()).toEqual({ first: 16, highest: 16, last: 11, heldBy: 'overload' });
  });

  test('is the rate, while a request waits for it', async () => {
    const { limiter, acquire } = limiterOf({ rate: { requests: 2, perMs: 1_000 } });
    acquire('a');
    expect(limiter.atOnce().because).toBe('accounts');
    acquire('b');
    expect(limiter.atOnce()).toMatchObject({ inFlight: 1, because: 'rate' });
  });

  test('is not the rate when a request waits for something else', async () => {
    const { limiter, acquire, release } = limiterOf({ rate: { requests: 20, perMs: 1_000 } });
    acquire('a');
    await quiet();
    release('a', failed({ askedMs: 1_000 }));
    acquire('b');
    expect(limiter.atOnce()).toMatchObject({ inFlight: 0, because: 'accounts' });
  });
});

describe('a machine that can open no connection', () => {
  const local = failed({ isLocal: true, overloaded: true });

  test('knows since when, until an answer comes', async () => {
    const { limiter, acquire, release, timing } = limiterOf();
    for (const name of ['a', 'b', 'c', 'd']) acquire(name);
    await quiet();
    expect(limiter.unconnectedMs()).toBe(0);
    release('a', local);
    await timing.sleep(500);
    expect(limiter.unconnectedMs()).toBe(500);
    release('b', local);
    await timing.sleep(100);
    expect(limiter.unconnectedMs()).toBe(600);
    release('c', SUCCEEDED);
    expect(limiter.unconnectedMs()).toBe(0);
    release('d', local);
    await timing.sleep(100);
    acquire('e');
    await quiet();
    release('e', failed());
    expect(limiter.unconnectedMs()).toBe(0);
  });

  test('sends less, and says nothing about the platform', async () => {
    const { limiter, acquire, release, events } = limiterOf();
    for (let number = 0; number < 12; number++) {
      acquire(`a${number}`);
      await quiet();
      release(`a${number}`, local);
    }
    expect(limiter.course().last).toBe(1);
    expect([limiter.blockedMs(), events]).toEqual([0, []]);
  });

  test('lets another request probe', async () => {
    const { acquire, release, acquired, permitOf } = limiterOf();
    acquire('a');
    await quiet();
    release('a', failed({ probeInMs: 5_000 }));
    acquire('b');
    acquire('c');
    await settled();
    expect(acquired).toEqual(['a at 0', 'b at 5000']);
    release('b', local);
    await settled();
    expect(acquired.at(-1)).toBe('c at 5000');
    expect(permitOf('c').isProbe).toBe(true);
  });
});

test.each([
  [2_000.4, 2_001],
  [1, 1],
])('a wait that was asked for before the run, until %d, is kept and told', async (pausedUntilMs, waitMs) => {
  const { acquire, acquired, events } = limiterOf({ pausedUntilMs });
  acquire('a');
  await settled();
  expect(acquired).toEqual([`a at ${waitMs}`]);
  expect(events).toEqual([
    { kind: 'paused', waitMs, reason: 'it answered so before the first request' },
    { kind: 'resumed' },
  ]);
});

test('a wait that was over before the run is none', async () => {
  const { acquire, acquired, events } = limiterOf({ pausedUntilMs: 0 });
  acquire('a');
  await quiet();
  expect([acquired, events]).toEqual([['a at 0'], []]);
});

test('an outage that one failure proves blocks every request until its probe, or until the wait that is asked for', async () => {
  const { limiter, acquire, release, events } = limiterOf();
  acquire('a');
  await quiet();
  release('a', failed({ probeInMs: 5_000, reason: 'token refused' }));
  expect([limiter.pauseMs(), limiter.blockedMs()]).toEqual([0, 5_000]);
  const asking = limiterOf();
  asking.acquire('a');
  await quiet();
  asking.release('a', failed({ probeInMs: 5_000, askedMs: 7_000, reason: 'busy' }));
  expect(asking.limiter.blockedMs()).toBe(7_000);
  expect(events).toEqual([{ kind: 'outage', waitMs: 5_000, reason: 'token refused' }]);
  expect(asking.events).toEqual([
    { kind: 'paused', waitMs: 7_000, reason: 'busy' },
    { kind: 'outage', waitMs: 7_000, reason: 'busy' },
  ]);
});

test('a request that only another one can let in is turned away when that one ends, and not by a clock', async () => {
  const { acquire, release, acquired, timing } = limiterOf({ concurrency: 1 });
  acquire('a');
  acquire('b', 100);
  await timing.sleep(500);
  expect(acquired).toEqual(['a at 0']);
  release('a', SUCCEEDED);
  await quiet();
  expect(acquired).toEqual(['a at 0', 'b expired']);
});

describe('late in a run', () => {
  test('a wait, and the time without a connection, count from their own beginning', async () => {
    const { limiter, acquire, release, timing } = limiterOf();
    for (const name of ['a', 'b']) acquire(name);
    await timing.sleep(1_000);
    release('a', failed({ isLocal: true }));
    await timing.sleep(300);
    expect(limiter.unconnectedMs()).toBe(300);
    release('b', failed({ askedMs: 7_000 }));
    expect([limiter.pauseMs(), limiter.blockedMs()]).toEqual([7_000, 7_000]);
  });

  test('a wait that was asked for before counts from now', async () => {
    const timing = virtualTiming();
    await timing.sleep(1_000);
    const events: PushEvent[] = [];
    const emit = (event: PushEvent): void => void events.push(event);
    const stopping = new AbortController().signal;
    const limiter = new Limiter({ concurrency: 2, pausedUntilMs: 3_000 }, { timing, emit, stopping });
    expect(limiter.pauseMs()).toBe(2_000);
    expect(events).toMatchObject([{ kind: 'paused', waitMs: 2_000 }]);
  });
});

test('the growth of a limit at the start of a run is no news', async () => {
  const { limiter, acquire, release, events } = limiterOf({ concurrency: 64 });
  for (let number = 0; number < 16; number++) {
    acquire(`a${number}`);
    await quiet();
    release(`a${number}`, SUCCEEDED);
  }
  expect([limiter.course().last, events]).toEqual([32, []]);
});

test('requests that expire are turned away one after the other', async () => {
  const { acquire, release, acquired, timing } = limiterOf();
  acquire('a');
  await quiet();
  release('a', failed({ askedMs: 10_000 }));
  acquire('late', 500);
  acquire('early', 100);
  await timing.sleep(200);
  expect(acquired).toEqual(['a at 0', 'early expired']);
  await timing.sleep(400);
  expect(acquired).toEqual(['a at 0', 'early expired', 'late expired']);
});

describe('while a request probes', () => {
  /** `a` has proven an outage, `b` is in flight since before it, `c` probes, and `d` waits. */
  async function probing() {
    const given = limiterOf();
    given.acquire('a');
    given.acquire('b');
    await quiet();
    given.release('a', failed({ probeInMs: 5_000 }));
    given.acquire('c');
    given.acquire('d');
    await settled();
    expect(given.acquired).toEqual(['a at 0', 'b at 0', 'c at 5000']);
    return given;
  }

  test.each<readonly [string, PermitUse]>([
    ['is not sent after all', { kind: 'unused' }],
    ['finds no connection', failed({ isLocal: true })],
    ['fails', failed()],
  ])('no other begins because an older one %s', async (_, use) => {
    const { release, acquired, events } = await probing();
    release('b', use);
    await settled();
    expect(acquired).toHaveLength(3);
    expect(events.filter(({ kind }) => kind === 'outage')).toHaveLength(1);
  });

  test('an older one that succeeds ends the outage, also when its permit is exchanged', async () => {
    const { limiter, permitOf, events } = await probing();
    expect(limiter.exchange(permitOf('b'), 20)).toBeDefined();
    expect(events.at(-1)).toEqual({ kind: 'recovered' });
  });
});
