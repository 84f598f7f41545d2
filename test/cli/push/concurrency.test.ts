import { describe, expect, test } from 'vitest';
import {
  afterOverload,
  afterSuccess,
  firstConcurrency,
  type Concurrency,
} from '../../../src/cli/push/concurrency.ts';

/** The limit after a number of good answers. */
const succeeding = (times: number, begin: Concurrency): Concurrency =>
  Array.from({ length: times }).reduce<Concurrency>((now) => afterSuccess(now), begin);

describe('the limit of requests in flight', () => {
  test.each([
    [1, 1],
    [3, 3],
    [4, 4],
    [8, 4],
    [256, 4],
  ])('of at most %i begins at %i', (most, limit) => {
    expect(firstConcurrency(most).limit).toBe(limit);
  });

  test.each([
    [0, 4],
    [3, 4],
    [4, 5],
    [4 + 4, 5],
    [4 + 5, 6],
    [4 + 5 + 6 + 7, 8],
    [1_000, 8],
  ])('after %i good answers is %i of 8', (times, limit) => {
    expect(succeeding(times, firstConcurrency(8)).limit).toBe(limit);
  });

  test.each([
    [8, 5],
    [5, 3],
    [3, 2],
    [2, 1],
    [1, 1],
  ])('is reduced from %i to %i', (limit, after) => {
    const now = { limit, most: 8, successes: 3, reductions: 0 };
    expect(afterOverload(now, 0)).toEqual({ limit: after, most: 8, successes: 0, reductions: 1 });
  });

  test('is reduced once by all the requests that were in flight together', () => {
    const now = { limit: 8, most: 8, successes: 0, reductions: 0 };
    const after = Array.from({ length: 8 }).reduce<Concurrency>((each) => afterOverload(each, 0), now);
    expect(after.limit).toBe(5);
    expect(afterOverload(after, 1).limit).toBe(3);
  });

  test('would otherwise be one after eight answers', () => {
    const reducedByEach = Array.from({ length: 8 }).reduce<Concurrency>(
      (each) => afterOverload(each, each.reductions),
      { limit: 8, most: 8, successes: 0, reductions: 0 },
    );
    expect(reducedByEach.limit).toBe(1);
  });
});
