import { expect, test } from 'vitest';
import type { Exchange } from '../../../src/cli/recording/exchange.ts';
import { roundedLife, tokenLifeIn } from '../../../src/cli/parity/shown-behaviour.ts';

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
