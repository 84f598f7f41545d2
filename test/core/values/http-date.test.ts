import { describe, expect, test } from 'vitest';
import { httpDateMs, httpDateOf } from '../../../src/core/values/http-date.ts';

describe('a date in an HTTP header', () => {
  test('in the form that may be sent is milliseconds since 1970', () => {
    expect(httpDateMs('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(784_111_777_000);
    expect(httpDateMs('Thu, 29 Feb 2024 00:00:00 GMT')).toBe(Date.UTC(2024, 1, 29));
    expect(httpDateMs('Thu, 01 Jan 2026 00:00:00 GMT')).toBe(Date.UTC(2026, 0, 1));
  });

  test('is written in that form, cut to whole seconds', () => {
    expect(httpDateOf(784_111_777_999)).toBe('Sun, 06 Nov 1994 08:49:37 GMT');
    expect(httpDateMs(httpDateOf(Date.UTC(2024, 1, 29)))).toBe(Date.UTC(2024, 1, 29));
  });

  test.each([
    ['nothing', ''],
    ['seconds', '120'],
    ['an ISO date-time', '1994-11-06T08:49:37Z'],
    ['the form of RFC 850', 'Sunday, 06-Nov-94 08:49:37 GMT'],
    ['the form of asctime', 'Sun Nov  6 08:49:37 1994'],
    ['another zone', 'Sun, 06 Nov 1994 08:49:37 CET'],
    ['an unknown month', 'Sun, 06 Foo 1994 08:49:37 GMT'],
    ['a day of one digit', 'Sun, 6 Nov 1994 08:49:37 GMT'],
    ['a day that does not exist', 'Sat, 31 Feb 2024 00:00:00 GMT'],
    ['a leap second', 'Sat, 31 Dec 2016 23:59:60 GMT'],
    ['the hour 24', 'Sun, 06 Nov 1994 24:00:00 GMT'],
    ['minute 99', 'Sun, 06 Nov 1994 08:99:00 GMT'],
  ])('is unreadable when it is %s', (_, text) => {
    expect(httpDateMs(text)).toBeUndefined();
  });
});
