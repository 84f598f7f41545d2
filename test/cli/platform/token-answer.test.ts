import { describe, expect, test } from 'vitest';
import { expiryOf, readToken } from '../../../src/cli/platform/token-answer.ts';
import { AppError } from '../../../src/core/app-error.ts';
import { jwtUntil } from '../../support/cli-scripted-platform.ts';

const PATH = '/v1/graphql/';
const AS_IT_IS = (text: string): string => text;

function answered(body: unknown, status = 200) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return readToken({ kind: 'answer', status, headers: { 'retry-after': '7' }, body: text }, PATH, AS_IT_IS);
}

test('a token is read whatever the mutation is called', () => {
  expect(answered({ data: { obtainPlatformToken: { token: 'abc', refreshToken: 'r' } } })).toEqual({
    token: 'abc',
  });
  expect(answered({ data: { obtainOtherToken: { token: 'abc' } }, errors: [] })).toEqual({ token: 'abc' });
});

describe('what may pass with time is no refusal', () => {
  test.each([408, 429, 500, 502, 503])('status %d', (status) => {
    expect(answered('<html>', status)).toEqual({
      later: `no token: /v1/graphql/ answered with status ${status}`,
      headers: { 'retry-after': '7' },
    });
  });

  test.each(['not_sent', 'lost'] as const)('an answer that is %s', (kind) => {
    expect(readToken({ kind, reason: 'reset' }, PATH, AS_IT_IS)).toEqual({ later: 'no token: reset' });
  });
});

describe('what will not pass is refused with the reason', () => {
  test.each([
    [
      {
        errors: [{ message: 'Invalid API key.', extensions: { errorCode: 'X-1' } }],
        data: { obtainPlatformToken: null },
      },
      200,
      'Invalid API key.',
    ],
    [{ errors: [{}] }, 200, 'it gave no reason'],
    [{ errors: [{ message: 'Forbidden' }] }, 403, 'Forbidden'],
    [
      { data: { obtainPlatformToken: { token: 'a\nb' } } },
      200,
      'the token has characters that cannot stand in a header',
    ],
    ['', 401, '/v1/graphql/ answered with status 401'],
  ])('%j with status %d', (body, status, reason) => {
    expect(() => answered(body, status)).toThrow(new AppError('credentials_refused', { reason }));
  });
});

describe('what does not answer as the platform does says nothing of the key', () => {
  test.each([
    ['<html>login</html>', 200, 'the answer of /v1/graphql/ holds no token'],
    [{ data: { obtainPlatformToken: null } }, 200, 'the answer of /v1/graphql/ holds no token'],
    [{ detail: 'Not found.' }, 404, '/v1/graphql/ answered with status 404'],
    ['', 302, '/v1/graphql/ answered with status 302'],
  ])('%j with status %d', (body, status, reason) => {
    expect(() => answered(body, status)).toThrow(new AppError('credentials_unobtainable', { reason }));
  });
});

test('the end of a token is in its payload', () => {
  expect(expiryOf(jwtUntil(1_795_000_000))).toBe(1_795_000_000_000);
});

test.each(['opaque', 'a.b.c', `a.${Buffer.from('{"exp":"soon"}').toString('base64url')}.c`, 'a..c'])(
  '%s does not say when it ends',
  (token) => {
    expect(expiryOf(token)).toBeUndefined();
  },
);
