import { describe, expect, test } from 'vitest';
import {
  calendarDate,
  count,
  duration,
  wholeSeconds,
  identifier,
  plainText,
  timeZone,
  urlPath,
} from '../../../src/cli/settings/reading.ts';

describe('a count', () => {
  const read = count({ max: 256 });

  test.each([
    ['1', 1],
    ['8', 8],
    ['256', 256],
    ['007', 7],
  ])('%s is %d', (text, value) => {
    expect(read(text)).toEqual({ value });
  });

  test.each([
    '0',
    '-1',
    '1.5',
    '1e2',
    '1e9',
    '257',
    'NaN',
    'Infinity',
    '',
    ' 5',
    '5 ',
    '0x10',
    '1_0',
    '٣',
    '99999999999999999999',
  ])('%j is none', (text) => {
    expect(read(text)).toEqual({ reason: 'it must be a whole number from 1 to 256' });
  });

  test('may start at zero where zero means something', () => {
    expect(count({ min: 0, max: 65_535 })('0')).toEqual({ value: 0 });
  });
});

describe('a span of time', () => {
  test.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['15m', 900_000],
    ['2h', 7_200_000],
    ['596h', 2_145_600_000],
  ])('%s is %d milliseconds', (text, value) => {
    expect(duration(text)).toEqual({ value });
  });

  test.each(['', '30', '30 s', '1.5s', '-5s', 's', '1d', '1m30s', '30S', '5e3ms'])('%j is none', (text) => {
    expect(duration(text)).toEqual({ reason: 'it must be a span of time such as 500ms, 30s, 15m or 2h' });
  });

  test.each(['0s', '0ms', '597h', '999999999h'])('%s is beyond what a timer takes', (text) => {
    expect(duration(text)).toEqual({ reason: 'it must be from 1ms to 596h' });
  });
});

test.each([
  [plainText, 'LEGACY', ''],
  [plainText, '007', ' '],
  [plainText, 'a b', 'a\nb'],
  [identifier, 'obtainPlatformToken', 'obtain-token'],
  [identifier, '_x1', '1x'],
  [identifier, 'APIKey', 'x{y}'],
  [urlPath, '/v1/graphql/', 'v1/graphql/'],
  [urlPath, '/', '/a b'],
  [urlPath, '/a.b-c~d', '/a?x=1'],
  [timeZone, 'Europe/London', 'London'],
  [timeZone, 'UTC', ''],
  [timeZone, 'America/Lima', '+05:30'],
] as const)('%o takes %j and refuses %j', (read, good, bad) => {
  expect(read(good)).toEqual({ value: good });
  expect(read(bad)).toHaveProperty('reason');
});

describe('a day', () => {
  test('is written as the interface writes days', () => {
    expect(calendarDate('1970-01-01')).toEqual({ value: '1970-01-01' });
  });

  test.each(['1970-02-30', '1970-1-1', '01.01.1970', '1970', ''])('%j is none', (text) => {
    expect(calendarDate(text)).toEqual({ reason: 'it must be a day such as 1970-01-01' });
  });
});

describe('a span of whole seconds', () => {
  test.each([
    ['1s', 1],
    ['3000ms', 3],
    ['60m', 3_600],
  ])('%s', (text, value) => {
    expect(wholeSeconds(text)).toEqual({ value });
  });

  test.each(['1ms', '999ms', '1500ms', '0s', '597h', 'soon', ''])('%j is refused and not rounded', (text) => {
    const reason = 'it must be whole seconds from 1s to 596h, such as 90s, 15m or 2h';
    expect(wholeSeconds(text)).toEqual({ reason });
  });

  test.each(['1s', '596h'])('%s, which the refusal names as a bound, is taken', (text) => {
    expect(wholeSeconds(text)).toHaveProperty('value');
  });
});
