import { describe, expect, test } from 'vitest';
import { DEFAULT_TOKEN_MUTATION } from '../../../src/core/contract/token.ts';
import { readTokenMutation } from '../../../src/server/auth/token-mutation.ts';
import {
  obtainToken,
  startPlatform,
  type Answered,
  type TestPlatform,
} from '../../support/server-platform.ts';

const PATH = DEFAULT_TOKEN_MUTATION.path;
const mutate = (platform: TestPlatform, query: string, variables: object = {}): Promise<Answered> =>
  platform.request('POST', PATH, { body: JSON.stringify({ query, variables }) });

/** GraphQL answers 200 also for errors, in the form of deployments.md. */
function expectGraphqlError(answer: Answered, errorType: string, errorCode: string): void {
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    errors: [
      {
        message: expect.any(String),
        extensions: { errorType, errorCode, errorDescription: expect.any(String) },
      },
    ],
  });
}

test('5: an API key is exchanged for a token, a refresh token and their times', async () => {
  const platform = await startPlatform();
  const answer = await obtainToken(platform.request, { APIKey: 'acme-key' });
  const nowSeconds = platform.clock.nowMs / 1000;
  expect(answer.status).toBe(200);
  expect(answer.body.data.obtainPlatformToken).toEqual({
    token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    refreshToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    refreshExpiresIn: nowSeconds + 7 * 24 * 3600,
    payload: expect.objectContaining({
      iat: nowSeconds,
      exp: nowSeconds + 3600,
      suppliers: ['ACME', 'EMPTY'],
    }),
  });
});

test('a refresh token is exchanged for a new token with the same rights, until it expires', async () => {
  const platform = await startPlatform();
  const first = (await obtainToken(platform.request, { APIKey: 'acme-key' })).body.data.obtainPlatformToken;
  platform.clock.nowMs += 2 * 3_600_000;
  const second = (await obtainToken(platform.request, { refreshToken: first.refreshToken })).body.data
    .obtainPlatformToken;
  expect(second.token).not.toBe(first.token);
  expect(second.payload.suppliers).toEqual(['ACME', 'EMPTY']);
  platform.clock.nowMs += 7 * 24 * 3_600_000;
  expectGraphqlError(
    await obtainToken(platform.request, { refreshToken: second.refreshToken }),
    'AUTHORIZATION',
    'authentication_failed',
  );
});

test.each([
  ['an unknown key', { APIKey: 'wrong' }, 'authentication_failed'],
  ['an access token as refresh token', { refreshToken: 'a.b.c' }, 'authentication_failed'],
  ['no input', {}, 'mutually_exclusive_field_required'],
  ['two ways at once', { APIKey: 'all-key', refreshToken: 'x' }, 'mutually_exclusive_field_required'],
  ['an unknown way', { email: 'x' }, 'mutually_exclusive_field_required'],
  ['a key that is no text', { APIKey: 1 }, 'mutually_exclusive_field_required'],
])('%s is an error in a 200', async (_, input, code) => {
  const type = code === 'authentication_failed' ? 'AUTHORIZATION' : 'VALIDATION';
  const platform = await startPlatform();
  expectGraphqlError(await obtainToken(platform.request, input), type, code);
  const [refused] = await platform.requests({ status: 'refused' });
  expect(refused).toMatchObject({ seq: 1, codes: [code] });
  const { problems } = (await platform.request('GET', '/_local/requests/1')).body;
  expect(problems).toMatchObject([{ code, rule: { name: 'token-mutation-form' } }]);
});

test('a body that is not JSON is a 400, another method a 405, another media type a 415', async () => {
  const platform = await startPlatform();
  expect((await platform.request('POST', PATH, { body: '{' })).body.code).toBe('parse_error');
  const get = await platform.request('GET', PATH);
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  expect(
    (await platform.request('POST', PATH, { body: 'x', headers: { 'content-type': 'text/plain' } })).status,
  ).toBe(415);
});

const VARIABLES = { input: { APIKey: 'k' }, key: 'v' };

test.each([
  [
    'mutation ($input: ObtainJSONWebTokenInput!) { obtainXToken(input: $input) { token } }',
    { APIKey: 'k' },
    'obtainXToken',
  ],
  [
    'mutation Login($key: String!) { obtainXToken(input: {APIKey: $key}) { token, payload } }',
    { APIKey: 'v' },
    'obtainXToken',
  ],
  ['mutation{mine:obtainXToken(input:{APIKey:"a\\"b"}){token}}', { APIKey: 'a"b' }, 'mine'],
  ['# hello\nmutation { obtainXToken(input: {}) { token } }', {}, 'obtainXToken'],
])('is read as a token mutation: %s', (document, input, resultName) => {
  expect(readTokenMutation(document, VARIABLES)).toMatchObject({ resultName, input });
});

test.each([
  'query { obtainXToken(input: {}) { token } }',
  'mutation { obtainToken(input: {}) { token } }',
  'mutation { obtainXToken { token } }',
  'mutation { obtainXToken(input: {}) { token }',
  'mutation { obtainXToken(input: {}) { token } } mutation { x }',
  'mutation { obtainXToken(input: {APIKey: "open}) { token } }',
  'mutation { obtainXToken(input: 5) { token } }',
  'mutation (',
])('is not read as a token mutation: %s', (document) => {
  expect(readTokenMutation(document, VARIABLES)).toBeUndefined();
});

describe('a token request of any depth or size', () => {
  const nested = (levels: number) =>
    `mutation { obtainPlatformToken(input: ${'{a:'.repeat(levels)}"x"${'}'.repeat(levels)}) { token } }`;

  test.each([9, 5_000])('is refused when its input has %i levels', async (levels) => {
    const platform = await startPlatform();
    expectGraphqlError(await mutate(platform, nested(levels)), 'VALIDATION', 'parse_error');
    expect(platform.unexpected).toEqual([]);
  });

  test('is refused when it is larger than 64 KiB, before it is read', async () => {
    const platform = await startPlatform();
    const answer = await mutate(platform, nested(1_000_000));
    expect([answer.status, answer.body.code]).toEqual([413, 'payload_too_large']);
    expect(platform.unexpected).toEqual([]);
  });
});

test('a body of the admin API has the same limits of depth', async () => {
  const platform = await startPlatform();
  const body = `{"rules":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  for (const path of ['/_local/faults', '/_local/clock/set']) {
    const answer = await platform.request('POST', path, { body });
    expect([answer.status, answer.body.code], path).toEqual([400, 'parse_error']);
  }
  expect(platform.unexpected).toEqual([]);
});
