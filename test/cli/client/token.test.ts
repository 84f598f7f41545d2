import { describe, expect, test } from 'vitest';
import { expiryOf, readToken, renewedTokens, type TokenResult } from '../../../src/cli/client/token.ts';
import { DEFAULT_TOKEN_MUTATION } from '../../../src/core/contract/token.ts';
import { AppError } from '../../../src/core/app-error.ts';
import { jwtUntil } from '../../support/scripted-server.ts';

const MUTATION = DEFAULT_TOKEN_MUTATION;
const UNCHANGED = (text: string): string => text;

function answered(body: unknown, status = 200) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return readToken(
    { kind: 'answer', status, headers: { 'retry-after': '7' }, body: text },
    MUTATION,
    UNCHANGED,
  );
}

describe('an error about the query names the settings of the mutation, and not the key', () => {
  test.each([
    [
      'graphene',
      {
        message: 'Cannot query field "obtainPlatformToken" on type "Mutation".',
        locations: [{ line: 1, column: 1 }],
      },
    ],
    ['apollo', { message: 'Unknown type', locations: [], extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    [
      'hasura',
      {
        message: "field 'obtainPlatformToken' not found in type: 'mutation_root'",
        extensions: { path: '$' },
      },
    ],
  ])('in the form of %s', (_, error) => {
    for (const status of [200, 400])
      expect(() => answered({ errors: [error] }, status)).toThrow('no token can be obtained: ');
  });

  test.each([
    ['with a path', { message: 'Invalid API key.', locations: [], path: ['obtainPlatformToken'] }],
    [
      'with a code of the platform',
      { message: 'Invalid API key.', locations: [], extensions: { errorCode: 'X-1' } },
    ],
    ['with words alone', { message: 'Invalid API key.' }],
  ])('an error %s is a refusal of the key', (_, error) => {
    expect(() => answered({ errors: [error] })).toThrow(
      expect.objectContaining({ code: 'credentials_refused' }) as Error,
    );
  });
});

describe('a temporary failure is no refusal', () => {
  test.each([408, 429, 500, 502, 503])('status %d', (status) => {
    expect(answered('<html>', status)).toEqual({
      later: `no token: /v1/graphql/ answered with status ${status}`,
      headers: { 'retry-after': '7' },
    });
  });

  test.each([200, 400, 403])('an answer with status %d that ends early', (status) => {
    const whole = JSON.stringify({ errors: [{ message: 'Invalid API key.' }] });
    for (let length = 1; length < whole.length; length++)
      expect(answered(whole.slice(0, length), status)).toMatchObject({
        later: 'no token: the answer of /v1/graphql/ ends early',
      });
  });
});

describe('an answer that there were too many requests is no refusal of the key', () => {
  const later = {
    later: 'no token: /v1/graphql/ answered that there were too many requests',
    headers: { 'retry-after': '7' },
  };
  test.each([
    [{ message: 'Too many requests.' }],
    [
      {
        message: 'x',
        extensions: { errorType: 'APPLICATION', errorCode: 'KEY-1', errorDescription: 'Too many requests.' },
      },
    ],
    [{ message: 'x', extensions: { errorCode: 'TOO_MANY_REQUESTS' } }],
    [{ message: 'Request was throttled.' }],
    [{ message: 'Rate limit exceeded' }],
  ])('%j', (error) => {
    const body = { data: { obtainPlatformToken: null }, errors: [error] };
    expect(answered(body)).toEqual(later);
    expect(answered(body, 403)).toEqual(later);
    expect(answered({ errors: [{ message: 'x' }, error] })).toEqual(later);
  });
});

describe('a permanent failure is a refusal with its reason', () => {
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
      'the token has characters that a header cannot contain',
    ],
    ['', 401, '/v1/graphql/ answered with status 401'],
  ])('%j with status %d', (body, status, reason) => {
    expect(() => answered(body, status)).toThrow(new AppError('credentials_refused', { reason }));
  });
});

describe('an answer that is not from the platform does not refuse the key', () => {
  test.each([
    [
      '<html>login</html>',
      200,
      '/v1/graphql/ answered with status 200, no content type, 18 bytes: “login”, which contains no token',
    ],
    [
      { data: { obtainPlatformToken: null } },
      200,
      '/v1/graphql/ answered with status 200, which contains no token',
    ],
    [{ detail: 'Not found.' }, 404, '/v1/graphql/ answered with status 404: Not found.'],
    ['', 302, '/v1/graphql/ answered with status 302'],
  ])('%j with status %d', (body, status, reason) => {
    expect(() => answered(body, status)).toThrow(`no token can be obtained: ${reason}`);
  });
});

test('the expiry of a token is in its payload', () => {
  expect(expiryOf(jwtUntil(1_795_000_000))).toBe(1_795_000_000_000);
});

test.each(['opaque', 'a.b.c', `a.${Buffer.from('{"exp":"soon"}').toString('base64url')}.c`, 'a..c'])(
  '%s has no expiry',
  (token) => {
    expect(expiryOf(token)).toBeUndefined();
  },
);

const START_MS = 1_795_000_000_000;

/** Tokens from a list of results, with a clock that the test sets. */
function source(results: readonly (TokenResult | Error)[]) {
  const clock = { ms: START_MS };
  let asked = 0;
  const obtain = async (): Promise<TokenResult> => {
    const result = results[asked++];
    if (result === undefined) throw new Error('unexpected request for a token');
    if (result instanceof Error) throw result;
    return result;
  };
  return { tokens: renewedTokens(obtain, { nowMs: () => clock.ms }), clock, asked: () => asked };
}

/** A token that expires a number of seconds after the start. `name` makes it unique. */
const token = (seconds: number, name = '') => ({ token: jwtUntil(START_MS / 1_000 + seconds) + name });

test('requests that start together wait for the same token', async () => {
  const { tokens, asked } = source([token(3_600)]);
  await Promise.all([tokens.current(), tokens.current(), tokens.current()]);
  expect(asked()).toBe(1);
});

describe('after a 401', () => {
  test('one new token serves every refused request', async () => {
    const [old, fresh] = [token(3_600, 'old'), token(3_600, 'fresh')];
    const { tokens, asked } = source([old, fresh]);
    await tokens.current();
    expect(await Promise.all([tokens.insteadOf(old), tokens.insteadOf(old)])).toEqual([fresh, fresh]);
    // This request was in flight with the old token while the new one arrived.
    expect(await tokens.insteadOf(old)).toEqual(fresh);
    expect(asked()).toBe(2);
  });

  test('a token that is issued a second time is another one', async () => {
    const [first, second] = [token(3_600), token(3_600)];
    const { tokens, asked } = source([first, second]);
    await tokens.current();
    expect(await tokens.insteadOf(first)).toBe(second);
    expect(await tokens.insteadOf(first)).toBe(second);
    expect(asked()).toBe(2);
  });
});

describe('before its expiry', () => {
  test('a token is renewed 60 seconds early', async () => {
    const { tokens, clock, asked } = source([token(3_600), token(7_200)]);
    await tokens.current();
    clock.ms = START_MS + 3_539_999;
    expect(await tokens.current()).toEqual(token(3_600));
    clock.ms = START_MS + 3_540_000;
    expect(await tokens.current()).toEqual(token(7_200));
    expect(asked()).toBe(2);
  });

  test('a short-lived token is renewed in the second half of its life, not before every request', async () => {
    const { tokens, clock, asked } = source([token(10), token(20)]);
    await tokens.current();
    clock.ms = START_MS + 4_999;
    await tokens.current();
    expect(asked()).toBe(1);
    clock.ms = START_MS + 5_000;
    expect(await tokens.current()).toEqual(token(20));
  });

  test('the old token is used until its expiry when the early renewal fails', async () => {
    const { tokens, clock } = source([token(3_600), { later: 'no token: 503' }, { later: 'no token: 503' }]);
    await tokens.current();
    clock.ms = START_MS + 3_550_000;
    expect(await tokens.current()).toEqual(token(3_600));
    clock.ms = START_MS + 3_600_000;
    expect(await tokens.current()).toEqual({ later: 'no token: 503' });
  });
});

describe('a refusal in place of the token', () => {
  const asked =
    (body: unknown, status: number, headers: Readonly<Record<string, string>> = {}) =>
    () =>
      readToken(
        { kind: 'answer', status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
        { path: '/v1/graphql/', mutation: 'obtainPlatformToken', inputField: 'APIKey' },
        (text) => text,
      );
  const codeOf = (call: () => unknown): unknown => {
    try {
      return call();
    } catch (error) {
      return (error as AppError).code;
    }
  };
  const BASIC = { 'www-authenticate': 'Basic realm="staging"' };

  test.each<readonly [string, unknown, number, Readonly<Record<string, string>>, string]>([
    ['by a page', '<h1>Sign in</h1>', 401, {}, 'credentials_gateway_refused'],
    ['by a page with 403', '<h1>Blocked</h1>', 403, {}, 'credentials_gateway_refused'],
    ['by a gate without a page', '', 401, BASIC, 'credentials_gateway_refused'],
    ['by a platform whose framework names Basic', { detail: 'No.' }, 401, BASIC, 'credentials_refused'],
    ['without a page', '', 401, { 'www-authenticate': 'Token' }, 'credentials_refused'],
    ['by a page with another status', '<p>Not found', 404, {}, 'credentials_refused'],
  ])('%s', (_, body, status, headers, code) => {
    expect(codeOf(asked(body, status, headers))).toBe(code);
  });

  test('says what the platform says', () => {
    expect(asked({ detail: 'Organisation is suspended.' }, 401)).toThrow(
      'status 401: Organisation is suspended.',
    );
  });
});
