import { describe, expect, test } from 'vitest';
import {
  fullBucket,
  shareOfRate,
  waitForToken,
  withTokens,
  type Rate,
} from '../../../../src/cli/push/send/token-bucket.ts';

/** When each of several requests may begin, if all want to begin at once. */
function begins(rate: Rate, requests: number): readonly number[] {
  let nowMs = 0;
  let bucket = fullBucket(rate, nowMs);
  return Array.from({ length: requests }, () => {
    nowMs += waitForToken(bucket, rate, nowMs);
    bucket = withTokens(bucket, rate, { taken: 1, nowMs });
    return nowMs;
  });
}

describe('a rate of requests', () => {
  test.each([
    ['4/s', { requests: 4, perMs: 1_000 }, [0, 250, 500, 750, 1_000]],
    ['30/m', { requests: 30, perMs: 60_000 }, [0, 2_000, 4_000]],
    [
      'the requests of a tenth of a second at once, so that a late timer costs nothing',
      { requests: 30, perMs: 1_000 },
      [0, 0, 0, 34, 67],
    ],
  ])('%s', (_, rate, expected) => {
    expect(begins(rate, expected.length)).toEqual(expected);
  });

  test.each([1, 3, 7, 50, 333, 1_000])('of %i a second is kept over time', (requests) => {
    const rate = { requests, perMs: 1_000 };
    const times = begins(rate, requests * 20 + 200);
    const burst = Math.max(1, requests / 10);
    for (const [index, atMs] of times.entries())
      expect(index + 1).toBeLessThanOrEqual(burst + (atMs * requests) / 1_000 + 1e-6);
  });

  test('does not fill beyond its capacity while nothing is sent', () => {
    const rate = { requests: 10, perMs: 1_000 };
    const taken = withTokens(fullBucket(rate, 0), rate, { taken: 1, nowMs: 3_600_000 });
    expect(waitForToken(taken, rate, 3_600_000)).toBe(100);
  });

  test('gets an unused token back', () => {
    const rate = { requests: 10, perMs: 1_000 };
    const taken = withTokens(fullBucket(rate, 0), rate, { taken: 1, nowMs: 0 });
    expect(waitForToken(withTokens(taken, rate, { taken: -1, nowMs: 0 }), rate, 0)).toBe(0);
  });
});

test('the share of a rate is that rate in a longer time', () => {
  expect(shareOfRate({ requests: 30, perMs: 60_000 }, 3)).toEqual({ requests: 30, perMs: 180_000 });
});
