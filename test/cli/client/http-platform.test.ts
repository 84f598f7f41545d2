import { describe, expect, test } from 'vitest';
import type { Credentials } from '../../../src/cli/client/http-platform.ts';
import { AppError } from '../../../src/core/app-error.ts';
import { NOW_MS, openPlatform } from '../../support/http-client.ts';
import { jwtUntil, rawServer, scriptedPlatform, tokenAnswer } from '../../support/scripted-server.ts';

const KEY: Credentials = { kind: 'key', apiKey: async () => 'the-key' };
const TOKEN: Credentials = { kind: 'token', token: 'given' };
const POST = { method: 'POST', path: '/v1/data-import/notes/create/', body: '{"notes":[]}' } as const;
const POSTED = 'POST /v1/data-import/notes/create/';

test('a request has the token, the content types, the user agent and the exact bytes of its body', async () => {
  const { url, received } = await scriptedPlatform([{ expects: POSTED, status: 201, body: [] }]);
  const { platform } = openPlatform(url, TOKEN);
  const body = '{"amount":10.10,"body":"žluť"}';
  expect(await platform.send({ ...POST, body })).toMatchObject({ kind: 'answer', status: 201, body: '[]' });
  expect(received[0]).toMatchObject({
    body,
    headers: {
      authorization: 'Token given',
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'dataimport/9.8.7',
      'content-length': String(Buffer.byteLength(body)),
    },
  });
});

test.each([
  ['Token', 'Token given'],
  ['Bearer', 'Bearer given'],
  ['none', 'given'],
])('with the setting authScheme %s the header is `%s`', async (authScheme, authorization) => {
  const { url, received } = await scriptedPlatform([{ expects: POSTED }]);
  await openPlatform(url, TOKEN, { authScheme }).platform.send(POST);
  expect(received[0]?.headers.authorization).toBe(authorization);
});

/** A token that serves one request. */
const EXPIRING = [tokenAnswer('old'), { expects: POSTED }, { expects: POSTED, status: 401 }];

describe('with an API key', () => {
  test('a token is obtained first, by the mutation that the settings name', async () => {
    const { url, received } = await scriptedPlatform([
      { expects: 'POST /graph/', body: { data: { obtainOther: { token: 'fresh' } } } },
      { expects: POSTED },
    ]);
    const tokenMutation = { path: '/graph/', mutation: 'obtainOther', inputField: 'organizationSecretKey' };
    await openPlatform(url, KEY, { tokenMutation }).platform.send(POST);
    expect(received[0]?.headers).not.toHaveProperty('authorization');
    expect(JSON.parse(received[0]!.body)).toEqual({
      query:
        'mutation ($input: ObtainJSONWebTokenInput!) { obtainOther(input: $input) { token refreshToken refreshExpiresIn payload } }',
      variables: { input: { organizationSecretKey: 'the-key' } },
    });
    expect(received[1]?.headers.authorization).toBe('Token fresh');
  });

  test('a request refused with 401 that gets no new token counts as sent with status 401', async () => {
    const later = { expects: 'POST /v1/graphql/', status: 503 };
    const { url } = await scriptedPlatform([...EXPIRING, later]);
    const { platform } = openPlatform(url, KEY);
    await platform.send(POST);
    let again = 0;
    const answer = await platform.send(POST, undefined, async () => void again++);
    expect([answer, again]).toEqual([expect.objectContaining({ kind: 'not_sent', status: 401 }), 0]);
  });

  test('a request refused with 401 whose key is then refused counts as sent with status 401', async () => {
    const refused = { expects: 'POST /v1/graphql/', body: { errors: [{ message: 'no' }] } };
    const { url } = await scriptedPlatform([...EXPIRING, refused]);
    const { platform } = openPlatform(url, KEY);
    await platform.send(POST);
    await expect(platform.send(POST)).rejects.toMatchObject({
      code: 'credentials_refused',
      facts: { status: 401 },
    });
  });

  test('the key is looked up once, however many tokens are requested', async () => {
    const { url } = await scriptedPlatform([...EXPIRING, tokenAnswer('two'), { expects: POSTED }]);
    let lookups = 0;
    const apiKey = async () => `key-${++lookups}`;
    const { platform } = openPlatform(url, { kind: 'key', apiKey });
    for (let request = 0; request < 2; request++) await platform.send(POST);
    expect(lookups).toBe(1);
  });

  test('a token that was accepted and is refused leads to a new token and the same request, at once', async () => {
    const { url, received } = await scriptedPlatform([
      ...EXPIRING,
      tokenAnswer('new'),
      { expects: POSTED, status: 201, body: [] },
    ]);
    const { platform } = openPlatform(url, KEY);
    await platform.send(POST);
    expect(await platform.send({ ...POST, body: '{"notes":[1]}' })).toMatchObject({ status: 201 });
    expect(received.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      'Token old',
      'Token old',
      undefined,
      'Token new',
    ]);
    expect(received.slice(2).map(({ body }) => body)).toEqual([
      '{"notes":[1]}',
      expect.any(String),
      '{"notes":[1]}',
    ]);
  });

  test('of three new tokens in a row each is tried once, and the third refusal is an error', async () => {
    const refused = (token: string) => [tokenAnswer(token), { expects: POSTED, status: 401 }];
    const { url, received } = await scriptedPlatform(['first', 'second', 'third'].flatMap(refused));
    const { platform } = openPlatform(url, KEY);
    for (const inARow of [1, 2])
      expect(await platform.send(POST)).toEqual({
        kind: 'not_sent',
        status: 401,
        reason: `status 401 for a new token, ${inARow} of 3 in a row`,
        refusedTokens: inARow,
      });
    await expect(platform.send(POST)).rejects.toMatchObject({
      code: 'credentials_refused',
      facts: { status: 401 },
    });
    expect(received).toHaveLength(6);
  });

  test('the token that follows an expired one is the first of the three', async () => {
    const refused = (token: string) => [tokenAnswer(token), { expects: POSTED, status: 401 }];
    const { url } = await scriptedPlatform([...EXPIRING, ...['first', 'second', 'third'].flatMap(refused)]);
    const { platform } = openPlatform(url, KEY);
    await platform.send(POST);
    const answers = [await platform.send(POST), await platform.send(POST)];
    expect(answers.map((answer) => answer.kind === 'not_sent' && answer.reason)).toEqual(
      [1, 2].map((inARow) => `status 401 for a new token, ${inARow} of 3 in a row`),
    );
    await expect(platform.send(POST)).rejects.toMatchObject({ code: 'credentials_refused' });
  });

  test('a refused key is an error with the words of the platform', async () => {
    const { url } = await scriptedPlatform([
      { expects: 'POST /v1/graphql/', body: { errors: [{ message: 'Invalid key.' }] } },
    ]);
    await expect(openPlatform(url, KEY).platform.send(POST)).rejects.toThrow(
      new AppError('credentials_refused', { reason: 'Invalid key.' }),
    );
  });

  test('a request without a token is not sent, and the answer about the token says how long to wait', async () => {
    const { url, received } = await scriptedPlatform([
      { expects: 'POST /v1/graphql/', status: 503, headers: { 'retry-after': '7' } },
    ]);
    expect(await openPlatform(url, KEY).platform.send(POST)).toMatchObject({
      kind: 'not_sent',
      reason: 'no token: /v1/graphql/ answered with status 503',
      headers: { 'retry-after': '7' },
    });
    expect(received).toHaveLength(1);
  });

  test('authenticate returns when the token expires and which database the answer names, and not the token', async () => {
    const token = tokenAnswer(jwtUntil(NOW_MS / 1_000 + 3_600));
    const { url } = await scriptedPlatform([token, { ...token, headers: { 'dataimport-database': 'db-1' } }]);
    for (const database of [null, 'db-1'])
      expect(await openPlatform(url, KEY).platform.authenticate()).toEqual({
        endsAtMs: NOW_MS + 3_600_000,
        database,
      });
  });
});

test('a 401 for a given token is an error, because no other token can be obtained', async () => {
  const { url } = await scriptedPlatform([{ expects: POSTED, status: 401 }]);
  await expect(openPlatform(url, TOKEN).platform.send(POST)).rejects.toMatchObject({
    code: 'credentials_refused',
    facts: { status: 401 },
  });
});

test('a 401 that is no answer of the platform is not blamed on the token', async () => {
  const page = {
    expects: POSTED,
    status: 401,
    headers: { 'content-type': 'text/html' },
    body: '<h1>Sign in</h1>',
  };
  const { url } = await scriptedPlatform([page]);
  await expect(openPlatform(url, TOKEN).platform.send(POST)).rejects.toMatchObject({
    code: 'credentials_gateway_refused',
    facts: { status: 401, reason: 'status 401, text/html, 16 bytes: “Sign in”' },
  });
});

test('every request is recorded with its outcome and without its content', async () => {
  const { url } = await scriptedPlatform([tokenAnswer('old-token'), { expects: POSTED, status: 400 }]);
  const { platform, records } = openPlatform(url, KEY);
  await platform.send({ ...POST, body: '{"notes":["private"]}' });
  const { url: cut } = await rawServer((socket) => socket.resetAndDestroy());
  const lost = openPlatform(cut, TOKEN);
  await lost.platform.send(POST);
  expect([...records, ...lost.records]).toEqual([
    { method: 'POST', path: '/v1/graphql/', outcome: 200, reason: null, duration_ms: 0 },
    { method: 'POST', path: POST.path, outcome: 400, reason: null, duration_ms: 0 },
    {
      method: 'POST',
      path: POST.path,
      outcome: 'lost',
      reason: 'the connection was reset (ECONNRESET)',
      duration_ms: 0,
    },
  ]);
});
