import { lineThrough } from './latency-model.ts';
import type { Samples } from './samples.ts';

/** The parts of a rehearsal that are compared, one after the other in time. */
const PARTS = 6;

/** Fewer requests say nothing about a part. */
const FEWEST_IN_PART = 4;

/** The parts differ when they differ so many times as much as chance alone would make them (an F test at about 5 %). */
const CLEAR = 2.2;

/**
 * How much the platform and this machine get faster and slower meanwhile: the standard deviation of the logarithm of the time that a
 * request takes, between parts of the rehearsal. 0 when chance alone explains how the parts differ.
 */
export function driftOf(samples: Samples): number {
  const logs = [...samples.values()]
    .flatMap((own) => {
      const line = lineThrough(own);
      return own.map(({ startedMs, records, atOnce, busyMs }) => ({
        startedMs,
        log: Math.log(Math.max(1, busyMs) / line(records, atOnce)),
      }));
    })
    .toSorted((a, b) => a.startedMs - b.startedMs)
    .map(({ log }) => log);
  const size = Math.floor(logs.length / PARTS);
  if (size < FEWEST_IN_PART) return 0;
  const parts = Array.from({ length: PARTS }, (_, part) => logs.slice(part * size, (part + 1) * size));
  const byChance = mean(parts.map(variance)) / size;
  const between = variance(parts.map(mean));
  return between > CLEAR * byChance ? Math.sqrt(between - byChance) : 0;
}

function variance(numbers: readonly number[]): number {
  const middle = mean(numbers);
  return numbers.reduce((sum, number) => sum + (number - middle) ** 2, 0) / (numbers.length - 1);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
