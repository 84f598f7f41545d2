import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCalendarDate } from '../../../src/core/values/calendar-date.ts';

describe('a day that exists, written YYYY-MM-DD', () => {
  test.each([
    '2024-02-29',
    '2000-02-29',
    '2023-02-28',
    '2024-12-31',
    '1970-01-01',
    // The years of four digits, without the year 0, which the calendar does not have.
    '0001-01-01',
    '9999-12-31',
  ])('%s is one', (text) => {
    expect(isCalendarDate(text)).toBe(true);
  });

  test.each([
    ['29 February of an ordinary year', '2023-02-29'],
    ['29 February of 1900', '1900-02-29'],
    ['29 February of 2100', '2100-02-29'],
    ['31 April', '2024-04-31'],
    ['a thirteenth month', '2024-13-01'],
    ['month 0', '2024-00-10'],
    ['day 0', '2024-01-00'],
    ['the year 0', '0000-01-01'],
    ['a year of five digits', '99999-01-01'],
    ['an expanded year', '+002024-01-01'],
    ['a year before ours', '-0001-01-01'],
    ['single digits', '2024-1-1'],
    ['no dashes', '20240101'],
    ['a slash before the month', '2024/01-01'],
    ['a slash before the day', '2024-01/01'],
    ['a two-digit year', '24-01-01'],
    ['a time behind it', '2024-01-01T00:00:00Z'],
    ['a space before it', ' 2024-01-01'],
    ['a line break after it', '2024-01-01\n'],
    ['full-width digits', '\uFF12\uFF10\uFF12\uFF14-01-01'],
    ['nothing', ''],
  ])('%s is no such day', (_, text) => {
    expect(isCalendarDate(text)).toBe(false);
  });

  test('agrees with the Gregorian calendar of the runtime on every day of 400 years', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1601, max: 2400 }), fc.nat(12), fc.nat(32), (year, month, day) => {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        const date = new Date(Date.UTC(year, month - 1, day));
        expect(isCalendarDate(text)).toBe(date.getUTCMonth() === month - 1 && date.getUTCDate() === day);
      }),
    );
  });
});
