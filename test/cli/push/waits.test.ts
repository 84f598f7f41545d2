import { describe, expect, test } from 'vitest';
import { nextWaitMs, retryAfterMs } from '../../../src/cli/push/waits.ts';

const MINUTE = 60_000;
const left = { leftMs: 15 * MINUTE };

describe('the wait before another attempt', () => {
  test('has a mean of 10 s at most, however many attempts failed', () => {
    expect([8, 2_000].map((failures) => nextWaitMs(failures, 0.5, left))).toEqual([10_000, 10_000]);
  });

  test.each([
    ['spread over the whole span', [0.999_999, left], 249],
    ['never shorter than the platform asks for', [0.999, { ...left, askedMs: 7_000 }], 7_000],
    ['cut to the time that is left', [0.5, { leftMs: 50 }], 50],
    ['not begun at the end of the time', [0.5, { leftMs: 0 }], undefined],
    [
      'not begun where the platform asks for more than is left',
      [0, { leftMs: 999, askedMs: 1_000 }],
      undefined,
    ],
  ] as const)('is %s', (_, [random, given], waitMs) => {
    expect(nextWaitMs(1, random, given)).toBe(waitMs);
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
});
