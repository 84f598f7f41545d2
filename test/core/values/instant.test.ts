import { describe, expect, test } from 'vitest';
import {
  dateInZone,
  instantOfClock,
  isBefore,
  isSameSecond,
  parseInstant,
} from '../../../src/core/values/instant.ts';

describe('a date-time with its offset', () => {
  test.each([
    ['2024-03-05T18:48:16Z', '2024-03-05T18:48:16Z'],
    ['2024-03-05T18:48:16+00:00', '2024-03-05T18:48:16Z'],
    ['2024-03-05T18:48:16-00:00', '2024-03-05T18:48:16Z'],
    ['2024-03-05T00:30:00+01:00', '2024-03-04T23:30:00Z'],
    ['2024-02-28T23:30:00-14:00', '2024-02-29T13:30:00Z'],
    ['2024-03-05T18:48:16.5Z', '2024-03-05T18:48:16.5Z'],
    ['2024-03-05T18:48:16.500Z', '2024-03-05T18:48:16.5Z'],
    ['2024-03-05T18:48:16.000Z', '2024-03-05T18:48:16Z'],
    // Nine digits are kept, never rounded.
    ['2024-03-05T18:48:16.123456789Z', '2024-03-05T18:48:16.123456789Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
  ])('%s is the instant %s', (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  test.each([
    ['no offset', '2024-03-31T01:30:00'],
    ['no time', '2024-03-31'],
    ['the hour 24, which would roll to the next day', '2024-03-05T24:00:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['minute 60', '2024-03-05T18:60:00Z'],
    ['a day that does not exist', '2023-02-29T10:00:00Z'],
    ['ten digits of a second', '2024-03-05T18:48:16.1234567890Z'],
    ['a point without digits', '2024-03-05T18:48:16.Z'],
    ['a comma in the seconds', '2024-03-05T18:48:16,5Z'],
    ['the year 10000', '10000-01-01T00:00:00Z'],
    ['the year 0', '0000-01-01T00:00:00Z'],
    ['no seconds', '2024-03-05T18:48Z'],
    ['a space instead of the T', '2024-03-05 18:48:16Z'],
    ['a small t', '2024-03-05t18:48:16z'],
    ['an offset without a colon', '2024-03-05T18:48:16+0100'],
    ['an offset of hours alone', '2024-03-05T18:48:16+01'],
    ['an offset beyond all zones', '2024-03-05T18:48:16+15:00'],
    ['a named zone', '2024-03-05T18:48:16+00:00[Europe/London]'],
    ['a space after it', '2024-03-05T18:48:16Z '],
    ['seconds since 1970', '1709664496'],
    ['nothing', ''],
  ])('is rejected with %s', (_, text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

test('an instant of the clock is cut to whole seconds', () => {
  expect([instantOfClock(0), instantOfClock(1_709_664_496_999)]).toEqual([
    '1970-01-01T00:00:00Z',
    '2024-03-05T18:48:16Z',
  ]);
});

test.each([
  ['London in summer, where it is tomorrow already', '2024-06-30T23:30:00Z', 'Europe/London', '2024-07-01'],
  ['London in winter', '2024-01-31T23:30:00Z', 'Europe/London', '2024-01-31'],
  ['Tokyo', '2024-01-31T23:30:00Z', 'Asia/Tokyo', '2024-02-01'],
])('the calendar date in %s', (_, instant, zone, date) => {
  expect(dateInZone(Date.parse(instant), zone)).toBe(date);
});

test.each([
  ['2024-01-01T12:00:00Z', '2024-01-01T12:00:01Z', true],
  ['2024-01-01T12:00:00Z', '2024-01-01T12:00:00Z', false],
  ['2024-01-01T12:30:00+01:00', '2024-01-01T12:00:00Z', true],
  ['2024-01-01T12:00:00.1Z', '2024-01-01T12:00:00Z', false],
])('%s before %s: %s, by the instant and not by the text', (a, b, expected) => {
  expect(isBefore(a, b)).toBe(expected);
});

describe('two date-times are of the same second', () => {
  test.each([
    ['2024-03-05T18:48:16Z', '2024-03-05T18:48:16Z', true],
    ['2024-03-05T18:48:16Z', '2024-03-05T19:48:16.999+01:00', true],
    ['2024-03-05T18:48:16.999999999Z', '2024-03-05T18:48:16Z', true],
    ['2024-03-05T18:48:16Z', '2024-03-05T18:48:17Z', false],
    ['2024-03-05T18:48:16Z', '2024-03-05T18:48:16+01:00', false],
    ['2024-03-05T18:48:16Z', '2024-03-05T18:48:16', undefined],
    ['', '2024-03-05T18:48:16Z', undefined],
  ])('%j and %j: %j', (a, b, expected) => {
    expect(isSameSecond(a, b)).toBe(expected);
    expect(isSameSecond(b, a)).toBe(expected);
  });
});
