import { expect, test } from 'vitest';
import type { Exchange } from '../../../src/cli/recording/exchange.ts';
import { roundedLife, tokenLifeIn, withRealLives } from '../../../src/cli/recording/token-lives.ts';

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
