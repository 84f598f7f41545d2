import { describe, expect, test } from 'vitest';
import { errorLimit, rate } from '../../../src/cli/settings/limits.ts';

describe('a rate', () => {
  test.each([
    ['20/s', { requests: 20, perMs: 1_000 }],
    ['1/m', { requests: 1, perMs: 60_000 }],
    ['100000/s', { requests: 100_000, perMs: 1_000 }],
  ])('%s', (text, value) => {
    expect(rate(text)).toEqual({ value });
  });

  test.each(['', '20', '0/s', '-1/s', '1.5/s', '1e3/s', '20/h', '20 / s', '/s', '100001/s', '20/s '])(
    'is not %j',
    (text) => {
      expect(rate(text)).toEqual({ reason: expect.stringContaining('such as 20/s') as string });
    },
  );
});

describe('a limit of errors', () => {
  test.each([
    ['0', { rows: 0 }],
    ['20', { rows: 20 }],
    ['0%', { percent: 0 }],
    ['5%', { percent: 5 }],
    ['100%', { percent: 100 }],
  ])('%s', (text, value) => {
    expect(errorLimit(text)).toEqual({ value });
  });

  test.each(['', '%', '-1', '1.5', '0.5%', '101%', '5 %', '1e3', 'NaN'])('is not %j', (text) => {
    expect(errorLimit(text)).toEqual({ reason: expect.stringContaining('such as 5%') as string });
  });
});
