import type { AttemptTiming } from '../push/ports/attempt-timing.ts';

/** One request of the rehearsal, from its first attempt to the answer that settled it. Times are in milliseconds. */
export interface Sample {
  readonly records: number;
  /** Requests in flight when it began, itself included. */
  readonly atOnce: number;
  /** How long its attempts were in flight, together. */
  readonly busyMs: number;
  /** The waits between its attempts. Other accounts send meanwhile. */
  readonly pauseMs: number;
}

/** A longer gap between two attempts is no wait of a run: the run had ended and was resumed. */
const LONGEST_WAIT_MS = 600_000;

/** The settled requests of a rehearsal, in the order in which they began. `timings`: in the order of the claims. */
export function samplesOf(timings: readonly AttemptTiming[]): readonly Sample[] {
  const inOrder = timings.toSorted((a, b) => a.startedMs - b.startedMs);
  const atOnce = atOnceOf(inOrder);
  const byBatch = Map.groupBy(inOrder, ({ batch }) => batch);
  const found: { readonly startedMs: number; readonly sample: Sample }[] = [];
  for (const attempts of byBatch.values()) {
    const last = attempts.findLastIndex(({ isSettled }) => isSettled);
    if (last < 0) continue;
    const gaps = attempts.map(
      ({ startedMs }, index) => startedMs - (attempts[index - 1]?.endedMs ?? startedMs),
    );
    const first = Math.max(
      0,
      gaps.findLastIndex((gap, index) => index <= last && gap > LONGEST_WAIT_MS),
    );
    const own = attempts.slice(first, last + 1);
    const [begun] = own as [AttemptTiming, ...AttemptTiming[]];
    const sample = {
      records: begun.records,
      atOnce: atOnce.get(begun)!,
      busyMs: sumOf(own.map(({ startedMs, endedMs }) => Math.max(0, endedMs - startedMs))),
      pauseMs: sumOf(gaps.slice(first + 1, last + 1).map((gap) => Math.max(0, gap))),
    };
    found.push({ startedMs: begun.startedMs, sample });
  }
  return found.toSorted((a, b) => a.startedMs - b.startedMs).map(({ sample }) => sample);
}

/** How many attempts were in flight when each began. `inOrder`: by their beginnings. */
function atOnceOf(inOrder: readonly AttemptTiming[]): ReadonlyMap<AttemptTiming, number> {
  const ends = inOrder.map(({ endedMs }) => endedMs).toSorted((a, b) => a - b);
  let ended = 0;
  return new Map(
    inOrder.map((attempt, begun) => {
      while (ended < ends.length && ends[ended]! <= attempt.startedMs) ended++;
      // Attempts of less than a millisecond have ended when they began.
      return [attempt, Math.max(1, begun + 1 - ended)];
    }),
  );
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
