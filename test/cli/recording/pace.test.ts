import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/cli/recording/exchange.ts';
import { paceOfRecording, roundedLife, tokenLifeIn, withRealLives } from '../../../src/cli/recording/pace.ts';

const at = (ms: number, more: Partial<Exchange> = {}): Exchange => ({
  at: new Date(Date.UTC(2026, 0, 1) + ms).toISOString(),
  method: 'POST',
  path: '/v1/data-import/notes/create/',
  body: '{}',
  status: 201,
  headers: {},
  answer: '{}',
  took_ms: ms,
  ...more,
});
const recording = (...exchanges: readonly Exchange[]) => ({
  file: 'f',
  exchanges,
  isDisguised: false,
  salt: undefined,
  warnings: [],
});
const throttled = { status: 429, headers: { 'retry-after': '9' } };

test('the times of an endpoint are those of its answers', () => {
  const { latenciesMs, limits } = paceOfRecording(recording(at(30), at(10), at(20), at(1, { status: 503 })));
  expect(latenciesMs).toEqual({ notes: [10, 20, 30] });
  expect(limits).toEqual([]);
});

test('the limit is the one that explains every answer 429', () => {
  // Four in ten seconds, at any speed.
  const burst = [0, 100, 200, 300].map((ms) => at(ms));
  const slow = [20_000, 23_000, 26_000, 29_000].map((ms) => at(ms));
  const { limits } = paceOfRecording(recording(...burst, at(400, throttled), ...slow, at(29_500, throttled)));
  expect(limits).toEqual([{ endpoints: ['notes'], requests: 4, withinMs: 10_000, retryAfterS: 9 }]);
});

test('of several times that explain the answers 429 the one counts that the platform asks to wait', () => {
  const burst = (from: number) => [
    ...[0, 1, 2].map((ms) => at(from + ms)),
    at(from + 3, { status: 429, headers: { 'retry-after': '3' } }),
  ];
  const { limits } = paceOfRecording(recording(...burst(0), ...burst(3_100), ...burst(6_200)));
  expect(limits).toEqual([{ endpoints: ['notes'], requests: 3, withinMs: 3_000, retryAfterS: 3 }]);
});

describe('a limit holds for the endpoints that answered 429', () => {
  const to =
    (endpoint: string) =>
    (ms: number, more: Partial<Exchange> = {}) =>
      at(ms, { path: `/v1/data-import/${endpoint}/create/`, ...more });
  const [notes, statements] = [to('notes'), to('historical-statements')];
  const token = { token: { mutation: 'm', input_field: 'f' }, path: '/v1/graphql/' };
  const limitsOf = (...exchanges: readonly Exchange[]) =>
    paceOfRecording(recording(...exchanges)).limits.map(({ endpoints, requests }) => [
      ...endpoints,
      requests,
    ]);

  test.each([
    ['one', [notes(0), statements(1), notes(2), statements(3), notes(4, throttled)], [['notes', 2]]],
    ['that of tokens', [at(0, token), notes(1), at(2, { ...token, ...throttled })], [['token', 1]]],
    [
      'several together, where as many of all were answered before each',
      [0, 60_000].flatMap((ms) => [
        notes(ms),
        notes(ms + 1),
        statements(ms + 2),
        (ms === 0 ? notes : statements)(ms + 3, throttled),
      ]),
      [['notes', 'statements', 3]],
    ],
    [
      'each alone, where few of one and many of another were answered',
      [
        ...Array.from({ length: 20 }, (_, ms) => statements(ms)),
        statements(20, throttled),
        notes(120_000),
        notes(120_001),
        notes(120_002, throttled),
      ],
      [
        ['statements', 20],
        ['notes', 2],
      ],
    ],
    [
      'that of tokens apart',
      [at(0, token), notes(1), notes(2, throttled), at(3, { ...token, ...throttled })],
      [
        ['token', 1],
        ['notes', 1],
      ],
    ],
    ['none for a path that the twin does not have', [at(0, { path: '/v2/', ...throttled })], []],
  ])('%s', (_, exchanges, expected) => {
    expect(limitsOf(...exchanges)).toEqual(expected);
  });
});

test('tokens that were refused at one age had that lifetime, whatever they say', () => {
  const token = (ms: number) => ({
    ...at(ms, { token: { mutation: 'm', input_field: 'f' }, lifetime_s: 3_599, took_ms: 0 }),
  });
  const used = (ms: number, status = 201) => at(ms, { status, took_ms: 5 });
  const livesOf = (...exchanges: readonly Exchange[]) =>
    withRealLives(exchanges).flatMap(({ lifetime_s }) => lifetime_s ?? []);
  const first = [token(0), used(100), used(29_000), used(30_100, 401)];
  const second = [token(30_200), used(30_300), used(60_000), used(60_400, 401), used(60_401, 401)];
  expect(livesOf(...first, ...second)).toEqual([30, 30]);
  // One refusal can have any reason, and so can refusals at any age.
  expect(livesOf(...first, token(30_200), used(70_000))).toEqual([3_599, 3_599]);
  expect(livesOf(...first, token(30_200), used(70_000), used(90_000, 401))).toEqual([3_599, 3_599]);
});

test('a token that is read a moment after it was made lives for whole minutes', () => {
  const token = { mutation: 'm', input_field: 'f' };
  expect(tokenLifeIn([at(0, { token, lifetime_s: 1_799 }), at(1, { token, lifetime_s: 600 })])).toBe(1_800);
  expect(tokenLifeIn([at(0, { token, lifetime_s: 90 })])).toBe(90);
});

test.each([
  [3_598, 3_600],
  [89, 90],
  [90, 90],
  [85, 85],
  [4, 5],
  [1, 1],
])('a token that is read with %i s left was made for %i s', (seconds, made) => {
  expect(roundedLife(seconds)).toBe(made);
});
