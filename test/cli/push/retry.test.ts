import { describe, expect, test } from 'vitest';
import { decideRetry, retryAfterMs } from '../../../src/cli/push/retry.ts';

const MINUTE = 60_000;
const state = { attempts: 1, elapsedMs: 0, retryForMs: 15 * MINUTE, retryAfterMs: 0, random: 0.5 };

describe('the wait before another attempt', () => {
  test.each([
    // Half of 250 ms × 2^(n-1), 20 s at most.
    [1, 125],
    [2, 250],
    [3, 500],
    [6, 4_000],
    [7, 8_000],
    [8, 10_000],
    [50, 10_000],
    [2_000, 10_000],
  ])('after attempt %i is %i ms with medium luck', (attempts, waitMs) => {
    expect(decideRetry({ ...state, attempts })).toEqual({ kind: 'wait', waitMs });
  });

  test.each([
    [0, 0],
    [0.999_999, 249],
  ])('is spread over the whole span: luck %d gives %i ms', (random, waitMs) => {
    expect(decideRetry({ ...state, random })).toEqual({ kind: 'wait', waitMs });
  });

  test('is never shorter than the platform asks for', () => {
    for (const random of [0, 0.5, 0.999]) {
      expect(decideRetry({ ...state, random, retryAfterMs: 7_000 })).toEqual({ kind: 'wait', waitMs: 7_000 });
    }
    expect(decideRetry({ ...state, attempts: 9, retryAfterMs: 7_000 })).toEqual({
      kind: 'wait',
      waitMs: 10_000,
    });
  });

  test.each([
    ['is cut to the time that is left', { elapsedMs: 15 * MINUTE - 50 }, { kind: 'wait', waitMs: 50 }],
    ['ends with the time', { elapsedMs: 15 * MINUTE }, { kind: 'give_up' }],
    [
      'is not begun where the platform asks for more than ten minutes',
      { retryAfterMs: 15 * MINUTE },
      { kind: 'asked_too_long' },
    ],
    [
      'is not begun where it asks for more than is left',
      { elapsedMs: 10 * MINUTE, retryAfterMs: 5 * MINUTE + 1 },
      { kind: 'give_up' },
    ],
  ])('%s', (_, changed, decision) => {
    expect(decideRetry({ ...state, ...changed })).toEqual(decision);
  });
});

describe('the wait that an answer asks for with Retry-After', () => {
  const date = 'Sun, 06 Nov 1994 08:49:37 GMT';

  test.each([
    ['nothing', {}, 0],
    ['seconds', { 'retry-after': '120' }, 120_000],
    ['no seconds', { 'retry-after': '0' }, 0],
    ['seconds with spaces around', { 'retry-after': ' 5 ' }, 5_000],
    [
      'a date, compared with the date of the answer',
      { 'retry-after': 'Sun, 06 Nov 1994 08:50:07 GMT', date },
      30_000,
    ],
    ['a date in the past', { 'retry-after': 'Sun, 06 Nov 1994 08:49:07 GMT', date }, 0],
    ['a negative number', { 'retry-after': '-5' }, 0],
    ['a fraction', { 'retry-after': '1.5' }, 0],
    ['an exponent', { 'retry-after': '1e3' }, 0],
    ['a hexadecimal number', { 'retry-after': '0x10' }, 0],
    ['more seconds than anybody can mean', { 'retry-after': '99999999999' }, 999_999_999_000],
    ['more digits than a number has', { 'retry-after': '9'.repeat(400) }, 999_999_999_000],
    ['zeros before the seconds', { 'retry-after': '000000000000120' }, 120_000],
    ['words', { 'retry-after': 'soon' }, 0],
    ['an empty header', { 'retry-after': '' }, 0],
    ['two values', { 'retry-after': '5, 10' }, 0],
  ])('%s', (_, headers, waitMs) => {
    expect(retryAfterMs(headers as Record<string, string>)).toBe(waitMs);
  });

  test('of more than ten digits is too long, not unreadable', () => {
    const retryAfter = retryAfterMs({ 'retry-after': '99999999999' });
    expect(decideRetry({ ...state, retryAfterMs: retryAfter })).toEqual({ kind: 'asked_too_long' });
  });
});
