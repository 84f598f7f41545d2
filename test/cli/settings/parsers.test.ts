import { describe, expect, test } from 'vitest';
import {
  baseUrl,
  duration,
  errorLimit,
  identifier,
  isLoopback,
  plainText,
  rate,
  timeZone,
  urlPath,
} from '../../../src/cli/settings/parsers.ts';

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

  test.each(['0s', '0ms', '597h', '999999999h'])('%s is longer than a timer can wait', (text) => {
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

describe('the base URL', () => {
  test.each([
    ['https://platform.example', 'https://platform.example'],
    ['https://platform.example/', 'https://platform.example'],
    ['https://platform.example:8443/data/eu/', 'https://platform.example:8443/data/eu'],
    ['HTTPS://Platform.Example', 'https://platform.example'],
    ['https://platform.example:443', 'https://platform.example'],
    ['http://localhost:4010', 'http://localhost:4010'],
    ['http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
    ['http://127.8.7.6', 'http://127.8.7.6'],
    ['http://[::1]:4010', 'http://[::1]:4010'],
  ])('%s is the address %s', (text, value) => {
    expect(baseUrl(text)).toEqual({ value });
  });

  test.each([
    ['platform.example', 'it must be an address such as https://platform.example'],
    ['ftp://platform.example', 'it must be an address such as https://platform.example'],
    ['https://', 'it must be an address such as https://platform.example'],
    ['https://a b', 'it must be an address such as https://platform.example'],
    [' https://platform.example', 'it must be an address such as https://platform.example'],
    ['https:\\\\platform.example', 'it must be an address such as https://platform.example'],
    ['https://host:99999', 'it must be an address such as https://platform.example'],
    ['https://user:pass@platform.example', 'it must not contain a user name or password'],
    ['https://user@platform.example', 'it must not contain a user name or password'],
    ['https://platform.example?x=1', 'it must not contain a query or fragment'],
    ['https://platform.example/#', 'it must not contain a query or fragment'],
    ['https://platform.example/a//b', 'its path has an empty or relative part'],
    ['https://platform.example//', 'its path has an empty or relative part'],
    ['https://platform.example/a/../b', 'its path has an empty or relative part'],
    ['https://platform.example/v1', 'it must end before /v1, which every path of the interface begins with'],
    [
      'https://platform.example/eu/v1/',
      'it must end before /v1, which every path of the interface begins with',
    ],
  ])('%s is refused: %s', (text, reason) => {
    expect(baseUrl(text)).toEqual({ reason });
  });

  test.each([
    'http://platform.example',
    'http://127.0.0.1.evil.example',
    'http://10.0.0.1',
    'http://0.0.0.0',
    'http://localhost.evil.example',
  ])('%s would carry keys in the clear', (text) => {
    expect(baseUrl(text)).toMatchObject({ code: 'base_url_insecure' });
  });

  test('this machine has its names and addresses, and no look-alikes', () => {
    expect(['localhost', '127.0.0.1', '[::1]'].every(isLoopback)).toBe(true);
    expect(['127.0.0.1.example', 'xlocalhost', '128.0.0.1', '[::2]'].some(isLoopback)).toBe(false);
  });
});
