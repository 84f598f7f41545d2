import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Timing } from '../push/ports/timing.ts';

/** A clock that goes on by waits and by nothing else. */
export interface VirtualClock extends Timing {
  /** Lets time pass, in milliseconds. */
  pass(passedMs: number): void;
}

/** Waits cost no time; chance is always the middle. */
export function virtualClock(startMs: number): VirtualClock {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    async sleep(waitMs, signal) {
      if (signal?.aborted) return;
      const endMs = nowMs + waitMs;
      await nextTurn();
      nowMs = Math.max(nowMs, endMs);
    },
    random: () => 0.5,
    pass: (passedMs) => void (nowMs += passedMs),
  };
}
