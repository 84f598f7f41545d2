import { expect, test } from 'vitest';
import { driftOf } from '../../../src/cli/forecast/drift.ts';
import { forecastOf } from '../../../src/cli/forecast/forecast.ts';
import type { Sample, Samples } from '../../../src/cli/forecast/samples.ts';

/** Requests one after the other in time, 100 ms apart. */
function rehearsed(times: readonly number[], atOnce: (index: number) => number = () => 4): Samples {
  const samples = times.map((busyMs, index): Sample => ({
    startedMs: 100 * index,
    records: 1,
    atOnce: atOnce(index),
    busyMs,
    pauseMs: 0,
  }));
  return new Map([['notes', samples]]);
}

/** 120 times that repeat in every part of a rehearsal. */
const STEADY = Array.from({ length: 120 }, (_, index) => 90 + 5 * (index % 5));
/** The same, and the machine is three times as slow in the middle third. */
const SLOW_BETWEEN = STEADY.map((time, index) => (index >= 40 && index < 80 ? 3 * time : time));

const NIGHT = {
  accounts: Array.from({ length: 40 }, () =>
    Array.from({ length: 10 }, () => ({ resource: 'notes', records: 1 }) as const),
  ),
  concurrency: 4,
};

test('parts of a rehearsal that differ no more than by chance are no drift', () => {
  expect(driftOf(rehearsed(STEADY))).toBe(0);
  expect(driftOf(rehearsed(SLOW_BETWEEN))).toBeGreaterThan(0.4);
  // Too few requests say nothing about the parts.
  expect(driftOf(rehearsed([1, 1, 1, 1, 1, 1, 900, 900, 900, 900, 900, 900]))).toBe(0);
});

test('the interval is as wide as the parts of the rehearsal differ', () => {
  const width = (times: readonly number[]) => {
    const { lowMs, highMs } = forecastOf(NIGHT, rehearsed(times), 1);
    return highMs / lowMs;
  };
  expect(width(STEADY)).toBeLessThan(1.8);
  expect(width(SLOW_BETWEEN)).toBeGreaterThan(2.5);
  // It has both: a night as fast as the quick parts, and one as slow as the slow part.
  const { lowMs, highMs } = forecastOf(NIGHT, rehearsed(SLOW_BETWEEN), 1);
  const all = (40 * 10 * 100) / 4;
  expect(lowMs).toBeLessThan(all);
  expect(highMs).toBeGreaterThan(3 * all);
});

test('a steep line through the samples makes no request of many times the slowest', () => {
  // A line through requests of 20 ms alone or beside another, and of 900 ms beside five, falls below zero. One quick request was slow.
  const times = Array.from({ length: 30 }, (_, index) => (index % 3 === 2 ? 900 : index === 0 ? 700 : 20));
  const samples = rehearsed(times, (index) => [1, 2, 6][index % 3]!);
  const { highMs } = forecastOf({ ...NIGHT, concurrency: 6 }, samples, 1);
  // Otherwise it is 18,000,000 ms.
  expect(highMs).toBeLessThan(1_000_000);
});
