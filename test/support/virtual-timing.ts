import { setTimeout as pause } from 'node:timers/promises';
import type { Timing } from '../../src/cli/push/ports/timing.ts';

/** Time that moves from wait to wait when nothing else can run. Random numbers are given. */
export interface VirtualTiming extends Timing {
  /** Milliseconds since the beginning. */
  readonly elapsedMs: number;
}

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/** A clock for several waits at the same time. A slow actor sleeps, too. */
export function virtualTiming(random: () => number = () => 0.5): VirtualTiming {
  const sleepers = new Set<Sleeper>();
  let nowMs = 0;
  let isTicking = false;

  const tick = (): void => {
    isTicking = false;
    const [next] = [...sleepers].toSorted((a, b) => a.atMs - b.atMs);
    if (!next) return;
    sleepers.delete(next);
    nowMs = Math.max(nowMs, next.atMs);
    next.wake();
    schedule();
  };
  // After everything that can run without time has run. A commit takes a turn of the event loop.
  const schedule = (): void => {
    if (isTicking) return;
    isTicking = true;
    setImmediate(() => setImmediate(() => setImmediate(tick)));
  };

  return {
    get elapsedMs() {
      return nowMs;
    },
    nowMs: () => 1_795_000_000_000 + nowMs,
    monotonicMs: () => nowMs,
    sleep: (waitMs, signal) =>
      new Promise((wake) => {
        if (signal?.aborted) return wake();
        const sleeper = { atMs: nowMs + waitMs, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          if (sleepers.delete(sleeper)) wake();
        });
        schedule();
      }),
    random,
  };
}

/**
 * Real time that passes `factor` times as fast. For waits beside requests over sockets: virtual time would pass while a request
 * is on its way.
 */
export function fasterTiming(factor: number, random: () => number): Timing {
  const startedMs = performance.now();
  const passedMs = (): number => (performance.now() - startedMs) * factor;
  return {
    nowMs: () => 1_795_000_000_000 + Math.floor(passedMs()),
    monotonicMs: passedMs,
    sleep: (waitMs, signal) =>
      pause(waitMs / factor, undefined, signal ? { signal } : {}).catch(() => undefined),
    random,
  };
}
