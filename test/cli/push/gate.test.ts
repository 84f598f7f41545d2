import { describe, expect, test } from 'vitest';
import type { PushEvent } from '../../../src/cli/push/events.ts';
import { Gate, type GateLimits, type Pass, type Verdict } from '../../../src/cli/push/gate.ts';
import { quiet } from '../../support/push-drained.ts';
import { virtualTiming, type VirtualTiming } from '../../support/virtual-timing.ts';

const failed = (changes: Partial<Extract<Verdict, { kind: 'failed' }>> = {}): Verdict => ({
  kind: 'failed',
  overloaded: false,
  askedMs: 0,
  reason: 'status 500',
  ...changes,
});
const WELL = { kind: 'well' } as const;

/** A gate, what it told, and who came through it when. */
function gateOf(limits: Partial<GateLimits> = {}) {
  const timing: VirtualTiming = virtualTiming();
  const closing = new AbortController();
  const events: PushEvent[] = [];
  const entered: string[] = [];
  const passes = new Map<string, Pass>();
  const emit = (event: PushEvent): void => void events.push(event);
  const gate = new Gate(
    { concurrency: 8, rate: undefined, ...limits },
    { timing, emit, closing: closing.signal },
  );
  return {
    gate,
    timing,
    closing,
    events,
    entered,
    /** Somebody comes to the gate; what became of it is in `entered`. */
    comes(name: string, untilMs?: number): void {
      void gate.enter(untilMs).then((entry) => {
        if (typeof entry === 'string') entered.push(`${name} ${entry}`);
        else {
          passes.set(name, entry);
          entered.push(`${name} at ${timing.elapsedMs}`);
        }
      });
    },
    leaves: (name: string, verdict: Verdict): void => gate.leave(passes.get(name)!, verdict),
    passOf: (name: string): Pass => passes.get(name)!,
  };
}

/** Everything that happens without anybody doing anything has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await quiet();
}

test('no more are let in than there may be, first come first served', async () => {
  const { comes, leaves, entered } = gateOf({ concurrency: 2 });
  for (const name of ['a', 'b', 'c', 'd']) comes(name);
  await quiet();
  expect(entered).toEqual(['a at 0', 'b at 0']);
  leaves('b', WELL);
  await quiet();
  expect(entered).toEqual(['a at 0', 'b at 0', 'c at 0']);
});

describe('a wait that the platform asks for', () => {
  test('is one for everybody, and is told', async () => {
    const { gate, comes, leaves, entered, events } = gateOf();
    comes('a');
    comes('b');
    await quiet();
    leaves('a', failed({ askedMs: 7_000, reason: 'status 429' }));
    expect([gate.pauseMs(), gate.closedMs()]).toEqual([7_000, 7_000]);
    leaves('b', WELL);
    comes('c');
    await settled();
    expect(entered.at(-1)).toBe('c at 7000');
    const paused = { kind: 'paused', waitMs: 7_000, reason: 'status 429' };
    expect(events).toEqual([paused, { kind: 'resumed' }]);
  });

  test('is not shortened by a shorter one', async () => {
    const { comes, leaves, entered } = gateOf();
    comes('a');
    comes('b');
    await quiet();
    leaves('a', failed({ askedMs: 7_000 }));
    leaves('b', failed({ askedMs: 1_000 }));
    comes('c');
    await settled();
    expect(entered.at(-1)).toBe('c at 7000');
  });

  test('that a run does not make keeps nobody', async () => {
    const { comes, leaves, gate } = gateOf();
    comes('a');
    await quiet();
    leaves('a', failed({ askedMs: 600_001 }));
    expect(gate.pauseMs()).toBe(0);
  });
});

describe('a platform that keeps failing', () => {
  async function broken(limits: Partial<GateLimits> = {}) {
    const given = gateOf({ concurrency: 10, ...limits });
    for (let number = 0; number < 10; number++) {
      given.comes(`x${number}`);
      await quiet();
      given.leaves(`x${number}`, failed());
    }
    given.entered.length = 0;
    return given;
  }

  test('is asked by one at a time, each later than the one before', async () => {
    const { comes, leaves, entered, passOf, events } = await broken();
    for (const name of ['a', 'b', 'c']) comes(name);
    await settled();
    expect(entered).toEqual(['a at 500']);
    expect(passOf('a').isProbe).toBe(true);
    leaves('a', failed());
    await settled();
    expect(entered).toEqual(['a at 500', 'b at 1500']);
    leaves('b', WELL);
    await settled();
    expect(entered).toEqual(['a at 500', 'b at 1500', 'c at 1500']);
    expect(events).toEqual([
      { kind: 'outage', waitMs: 500, reason: 'status 500' },
      { kind: 'outage', waitMs: 1_000, reason: 'status 500' },
      { kind: 'recovered' },
    ]);
  });

  test('is asked by another when the one who was to ask has nothing to send', async () => {
    const { comes, leaves, entered, passOf } = await broken();
    comes('a');
    comes('b');
    await settled();
    leaves('a', { kind: 'unused' });
    await settled();
    expect(entered).toEqual(['a at 500', 'b at 500']);
    expect(passOf('b').isProbe).toBe(true);
  });

  test('turns away those whose time is over, and no one else', async () => {
    const { comes, leaves, entered } = await broken();
    comes('a');
    comes('late', 600);
    comes('b');
    await settled();
    leaves('a', failed());
    await settled();
    leaves('b', failed());
    comes('later', 1_600);
    await settled();
    expect(entered).toEqual(['a at 500', 'late late', 'b at 1500', 'later late']);
  });
});

describe('too much for the platform', () => {
  test('lets in fewer, then more again, and both are told', async () => {
    const { comes, leaves, events, entered } = gateOf({ concurrency: 4 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) comes(name);
    await quiet();
    leaves('a', failed({ overloaded: true, reason: 'status 503' }));
    leaves('b', failed({ overloaded: true, reason: 'status 503' }));
    await quiet();
    expect(entered).toHaveLength(4);
    leaves('c', WELL);
    leaves('d', WELL);
    await quiet();
    expect(entered.at(-1)).toBe('e at 0');
    expect(events).toEqual([
      { kind: 'slowed', from: 4, to: 2, reason: 'status 503' },
      { kind: 'eased', to: 3, most: 4 },
    ]);
  });

  test('a run that only warms up has nothing to tell', async () => {
    const { comes, leaves, events } = gateOf();
    for (let number = 0; number < 40; number++) {
      comes(`a${number}`);
      await quiet();
      leaves(`a${number}`, WELL);
    }
    expect(events).toEqual([]);
  });
});

test('a rate holds for all together, and what was not used is given back', async () => {
  const { comes, leaves, entered } = gateOf({ rate: { requests: 2, perMs: 1_000 } });
  for (const name of ['a', 'b', 'c']) comes(name);
  await settled();
  expect(entered).toEqual(['a at 0', 'b at 500', 'c at 1000']);
  leaves('c', { kind: 'unused' });
  comes('d');
  await settled();
  expect(entered.at(-1)).toBe('d at 1000');
});

describe('who goes on', () => {
  test('goes before those who wait, if anybody may', async () => {
    const { gate, comes, entered, passOf } = gateOf({ concurrency: 1 });
    comes('a');
    comes('b');
    await quiet();
    const next = gate.renew(passOf('a'));
    expect(next).toBeDefined();
    await quiet();
    expect(entered).toEqual(['a at 0']);
    gate.leave(next!, { kind: 'unused' });
    await quiet();
    expect(entered).toEqual(['a at 0', 'b at 0']);
  });

  test('waits like the others when nobody may', async () => {
    const { gate, comes, leaves, passOf } = gateOf();
    comes('a');
    comes('b');
    await quiet();
    leaves('b', failed({ askedMs: 1_000 }));
    expect(gate.renew(passOf('a'))).toBeUndefined();
  });
});

test('when it closes, everybody is sent away, and so is who comes after', async () => {
  const { comes, closing, entered, gate, passOf } = gateOf({ concurrency: 1 });
  comes('a');
  comes('b');
  await quiet();
  closing.abort();
  comes('c');
  await quiet();
  expect(entered).toEqual(['a at 0', 'b closed', 'c closed']);
  expect(gate.renew(passOf('a'))).toBeUndefined();
});

test('a clock that breaks down is told to everybody who waits for it', async () => {
  const timing = { ...virtualTiming(), sleep: () => Promise.reject(new Error('no clock')) };
  const closing = new AbortController().signal;
  const rate = { requests: 1, perMs: 1_000 };
  const gate = new Gate({ concurrency: 2, rate }, { timing, emit: () => undefined, closing });
  await gate.enter();
  await expect(gate.enter()).rejects.toThrow('no clock');
});
