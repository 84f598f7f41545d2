/** Time and chance as parameters, so that tests assert waits instead of enduring them. */
export interface Timing {
  /** Milliseconds since 1970, for timestamps. It jumps when the clock of the machine is set. */
  nowMs(): number;
  /** Milliseconds of a clock that only goes forward, from any start: for waits and durations. */
  monotonicMs(): number;
  /** How long this process has stood still so far, in milliseconds, because it or its machine was stopped. Default: never. */
  stoodStillMs?(): number;
  /** Resolves after `waitMs`, or at once when the signal aborts. */
  sleep(waitMs: number, signal?: AbortSignal): Promise<void>;
  /** A number from 0 up to but not including 1. */
  random(): number;
}

/** The same time with a clock that stands still while the process does: nothing can fail or be tried meanwhile. */
export const awake = (timing: Timing): Timing => ({
  nowMs: () => timing.nowMs(),
  monotonicMs: () => timing.monotonicMs() - (timing.stoodStillMs?.() ?? 0),
  sleep: (waitMs, signal) => timing.sleep(waitMs, signal),
  random: () => timing.random(),
});
