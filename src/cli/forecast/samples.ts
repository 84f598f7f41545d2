import type { Resource } from '../../core/contract/resources.ts';
import type { AttemptTiming } from '../push/ports/attempt-timing.ts';

/** One request of the rehearsal, from its first attempt to the answer that settled it. Times are in milliseconds. */
export interface Sample {
  /** When its first attempt began, since 1970. */
  readonly startedMs: number;
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

/** The requests of one run of a rehearsal, in the order of the claims. */
export interface RehearsedRun {
  readonly resource: Resource;
  readonly timings: readonly AttemptTiming[];
}

/** The samples of each resource, in the order in which they began. */
export type Samples = ReadonlyMap<Resource, readonly Sample[]>;

/** The settled requests of a rehearsal. Its runs may have been sent side by side, as `migrate` sends them. */
export function samplesOf(runs: readonly RehearsedRun[]): Samples {
  const atOnce = atOnceOf(runs.flatMap(({ timings }) => timings).toSorted(byStart));
  const begun = runs.flatMap(({ resource, timings }) =>
    [...Map.groupBy(timings.toSorted(byStart), ({ batch }) => batch).values()].flatMap((attempts) => {
      const sample = sampleOf(attempts, atOnce);
      return sample ? [{ resource, sample }] : [];
    }),
  );
  const byResource = Map.groupBy(begun, ({ resource }) => resource);
  return new Map(
    [...byResource].map(([resource, own]) => [resource, own.map(({ sample }) => sample).toSorted(byStart)]),
  );
}

/** The most requests in flight at once. There may be hundreds of thousands of samples, more than a call takes arguments. */
export function mostAtOnceIn(samples: Samples): number {
  return [...samples.values()].flat().reduce((most, { atOnce }) => Math.max(most, atOnce), 0);
}

/** One request from its attempts; undefined when no answer settled it. */
function sampleOf(
  attempts: readonly AttemptTiming[],
  atOnce: ReadonlyMap<AttemptTiming, number>,
): Sample | undefined {
  const last = attempts.findLastIndex(({ isSettled }) => isSettled);
  if (last < 0) return undefined;
  const gaps = attempts.map(
    ({ startedMs }, index) => startedMs - (attempts[index - 1]?.endedMs ?? startedMs),
  );
  const first = Math.max(
    0,
    gaps.findLastIndex((gap, index) => index <= last && gap > LONGEST_WAIT_MS),
  );
  const own = attempts.slice(first, last + 1);
  const [begun] = own as [AttemptTiming, ...AttemptTiming[]];
  return {
    startedMs: begun.startedMs,
    records: begun.records,
    atOnce: atOnce.get(begun)!,
    busyMs: sumOf(own.map(({ startedMs, endedMs }) => Math.max(0, endedMs - startedMs))),
    pauseMs: sumOf(gaps.slice(first + 1, last + 1).map((gap) => Math.max(0, gap))),
  };
}

function byStart(a: { readonly startedMs: number }, b: { readonly startedMs: number }): number {
  return a.startedMs - b.startedMs;
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
