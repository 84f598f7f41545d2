import { describe, expect, test } from 'vitest';
import {
  afterOverload,
  afterSuccess,
  firstConcurrency,
  type Concurrency,
} from '../../../../src/cli/push/send/concurrency.ts';

/** The limit after a number of good answers that took equally long. */
const succeeding = (times: number, begin: Concurrency, tookMs = 20): Concurrency =>
  Array.from({ length: times }).reduce<Concurrency>((now) => afterSuccess(now, tookMs), begin);

/** The limit after decisions, each after as many answers as the limit is high. */
const deciding = (decisions: number, begin: Concurrency, tookMs: (limit: number) => number): Concurrency =>
  Array.from({ length: decisions }).reduce<Concurrency>(
    (now) => succeeding(now.limit, now, tookMs(now.limit)),
    begin,
  );

const limitOf = (limit: number): Concurrency => ({ ...firstConcurrency(64), limit });

describe('the limit of requests in flight', () => {
  test.each([
    [1, 1],
    [4, 4],
    [16, 16],
    [64, 16],
    [256, 16],
  ])('of at most %i begins at %i', (most, limit) => {
    expect(firstConcurrency(most).limit).toBe(limit);
  });

  test.each([
    [0, 16],
    [15, 16],
    [16, 32],
    [16 + 31, 32],
    [16 + 32, 64],
    [16 + 32 + 64, 100],
    [10_000, 100],
  ])('after %i good answers that take no longer is %i of 100', (times, limit) => {
    expect(succeeding(times, firstConcurrency(100)).limit).toBe(limit);
  });

  test('is found within 112 answers that take no longer, and grows by one after it was too high', () => {
    const tooHigh = deciding(3, firstConcurrency(256), (limit) => (limit > 32 ? 100 : 20));
    expect(tooHigh).toMatchObject({ limit: 32, doubles: false });
    expect(succeeding(32, tooHigh).limit).toBe(33);
  });

  test('grows by one after an overload', () => {
    const overloaded = afterOverload(succeeding(16, firstConcurrency(64)), 0);
    expect(overloaded.limit).toBe(22);
    expect(succeeding(22, overloaded).limit).toBe(23);
  });

  test.each([
    [8, 5],
    [5, 3],
    [3, 2],
    [2, 1],
    [1, 1],
  ])('is reduced by an overload from %i to %i', (limit, after) => {
    expect(afterOverload(limitOf(limit), 0)).toMatchObject({ limit: after, tookMs: [], reductions: 1 });
  });

  test('is reduced once by all the requests that were in flight together', () => {
    const now = limitOf(8);
    const after = Array.from({ length: 8 }).reduce<Concurrency>((each) => afterOverload(each, 0), now);
    expect(after.limit).toBe(5);
    expect(afterOverload(after, 1).limit).toBe(3);
  });

  test('would otherwise be one after eight answers', () => {
    const reducedByEach = Array.from({ length: 8 }).reduce<Concurrency>(
      (each) => afterOverload(each, each.reductions),
      limitOf(8),
    );
    expect(reducedByEach.limit).toBe(1);
  });
});

describe('answers that take longer', () => {
  /** Its limit is 17 and grows by one. */
  const fast = succeeding(16, { ...firstConcurrency(64), doubles: false }, 20);

  test.each([
    ['grows while the median is near the best', 35, 18],
    ['stays while the median is clearly longer', 44, 17],
    ['shrinks when the median is more than twice as long', 60, 16],
  ])('the limit %s', (_, tookMs, limit) => {
    expect(succeeding(17, fast, tookMs).limit).toBe(limit);
  });

  test('are judged by their median, so that a few slow answers change nothing', () => {
    const few = succeeding(5, fast, 5_000);
    expect(succeeding(12, few, 20).limit).toBe(18);
  });

  test('never reduce the limit below its start, and an overload does', () => {
    const slow = deciding(50, fast, () => 1_000);
    expect(slow.limit).toBe(16);
    const overloaded = afterOverload(slow, 0);
    expect(overloaded.limit).toBe(11);
    expect(succeeding(11, overloaded, 1_000).limit).toBe(11);
  });

  test('of a platform that works on twenty requests at once hold the limit near there', () => {
    const busy = (limit: number): number => Math.max(20, limit);
    expect(deciding(500, firstConcurrency(256), busy).limit).toBe(36);
    expect(deciding(500, firstConcurrency(64), () => 20).limit).toBe(64);
  });

  test.each([
    ['most', () => 20],
    ['slower_answers', (limit: number) => limit * 10],
  ] as const)('are told as the reason: %s', (heldBy, tookMs) => {
    const { course, limit } = deciding(200, firstConcurrency(64), tookMs);
    expect(course).toMatchObject({ first: 16, last: limit, heldBy });
    expect(course.highest).toBeGreaterThanOrEqual(limit);
  });

  test('are not the reason while the limit still grows, nor after an overload', () => {
    expect(fast.course).toEqual({ first: 16, highest: 17, last: 17, heldBy: 'end' });
    expect(afterOverload(fast, 0).course).toEqual({
      first: 16,
      highest: 17,
      last: 11,
      heldBy: 'overload',
    });
  });
});
