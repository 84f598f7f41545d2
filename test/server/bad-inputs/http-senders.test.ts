import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ENDPOINTS, pathOf } from '../../../src/core/contract/endpoints.ts';
import { exchange } from '../../support/server-bytes.ts';
import { expectHarmless, refusedBytes } from '../../support/server-harm.ts';
import { ACCOUNT, obtainToken, startPlatform, type TestPlatform } from '../../support/server-platform.ts';

const NOTES = ENDPOINTS.createNotes.path;
const LIST = pathOf(ENDPOINTS.allAccountImportProcesses, { importSupplier: 'ACME' });
const GOOD = JSON.stringify({ ...ACCOUNT, notes: [{ body: 'x' }] });

interface Parts {
  readonly authorization?: string | readonly string[];
  readonly type?: string | null;
  readonly headers?: string;
  readonly body?: string | Uint8Array;
}

/** A POST of a note. Parts that are left out are right. */
async function posted(platform: TestPlatform, parts: Parts): Promise<Uint8Array> {
  const {
    authorization = `Token ${await platform.token()}`,
    type = 'application/json',
    headers = '',
    body = GOOD,
  } = parts;
  const bytes = Buffer.from(body);
  const authorizations = [authorization].flat().map((value) => `Authorization: ${value}\r\n`);
  const head = `POST ${NOTES} HTTP/1.1\r\nHost: localhost\r\n${authorizations.join('')}${type === null ? '' : `Content-Type: ${type}\r\n`}${headers}Content-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}

describe('the media type of a body', () => {
  test.each<[string, Parts]>([
    [
      '[H54] compressed',
      { headers: 'Content-Encoding: gzip\r\n', body: gzipSync(Buffer.alloc(10_000_000, ' ')) },
    ],
    ['[H54] compressed in an unknown way', { headers: 'Content-Encoding: x-unknown\r\n' }],
    ['[H55] text', { type: 'text/plain' }],
    ['[H55] a form', { type: 'application/x-www-form-urlencoded' }],
    ['[H56] JSON with an unknown parameter', { type: 'application/json ;x' }],
    ['[H56] JSON behind a comma', { type: 'text/plain, application/json' }],
    ['[H57] JSON in UTF-16', { type: 'application/json; charset=utf-16' }],
    ['[H57] JSON in Latin-1', { type: 'application/json; charset=latin1' }],
    ['[H58] no media type', { type: null }],
    ['[H59] a form of many parts', { type: 'multipart/form-data; boundary=x' }],
  ])('%s is a 415', async (_, parts) => {
    const platform = await startPlatform();
    const { answers } = await refusedBytes(platform, await posted(platform, parts));
    expect(answers[0]).toMatchObject({ status: 415 });
    expect(JSON.parse(answers[0]!.body)).toMatchObject({ code: 'unsupported_media_type' });
  });

  test.each([
    'application/json\t',
    ' application/json',
    'APPLICATION/JSON',
    'application/json;',
    'application/json ; charset=utf-8',
  ])('[H56] `%s` is JSON, and its content is checked as such', async (type) => {
    const platform = await startPlatform();
    const good = await exchange(platform.port, await posted(platform, { type }));
    expect(good.answers[0]?.status).toBe(201);
    const bad = JSON.stringify({ ...ACCOUNT, notes: [{ body: 5 }] });
    const refused = await exchange(platform.port, await posted(platform, { type, body: bad }));
    expect(refused.answers[0]).toMatchObject({ status: 400, body: expect.stringContaining('notes.0.body') });
  });
});

describe('the caller', () => {
  test.each<[string, string | readonly string[]]>([
    ['[H60] a request without a header', []],
    ['[H61] the scheme without a token', 'Token'],
    ['[H61] another scheme', 'Bearer <token>'],
    ['[H61] no scheme', '<token>'],
    ['[H61] two tokens', 'Token <token>, Token <token>'],
    ['[H61] two headers, both right', ['Token <token>', 'Token <token>']],
    ['[H61] two headers, the first right', ['Token <token>', 'Token nonsense']],
    ['[H61] two headers, the second right', ['Token nonsense', 'Token <token>']],
    ['[H63] an API key', 'Token all-key'],
    ['[H64] a token of 15 kB', `Token ${'x'.repeat(15_000)}`],
    ['[H64] a token that is not ASCII', 'Token \u00fc\u00e9\u00ff'],
    ['[H64] a token with one letter changed', 'Token <token>x'],
  ])('%s is a 401', async (_, given) => {
    const platform = await startPlatform();
    const token = await platform.token();
    const authorization = [given].flat().map((text) => text.replaceAll('<token>', token));
    const { answers } = await refusedBytes(platform, await posted(platform, { authorization }));
    expect(answers[0]).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Token' } });
    expect(answers[0]!.body).not.toContain(token.slice(-20));
  });

  test.each(['token <token>', 'TOKEN <token>', 'Token  <token>', 'Token <token> '])(
    '[H61] `%s` is read like Django REST framework reads it',
    async (given) => {
      const platform = await startPlatform();
      const authorization = given.replace('<token>', await platform.token());
      const { answers } = await exchange(platform.port, await posted(platform, { authorization }));
      expect(answers[0]?.status).toBe(201);
    },
  );

  test('[H62] an expired token, and a token of another process, is a 401', async () => {
    const platform = await startPlatform();
    const other = await startPlatform();
    const foreign = await posted(platform, { authorization: `Token ${await other.token()}` });
    expect((await refusedBytes(platform, foreign)).answers[0]?.status).toBe(401);
    const bytes = await posted(platform, {});
    platform.clock.nowMs += 3_600_000;
    expect((await refusedBytes(platform, bytes)).answers[0]?.status).toBe(401);
  });

  test('[H62] a refresh token gives access to nothing', async () => {
    const platform = await startPlatform();
    const issued = (await obtainToken(platform.request, { APIKey: 'all-key' })).body.data.obtainPlatformToken;
    const bytes = await posted(platform, { authorization: `Token ${issued.refreshToken}` });
    expect((await refusedBytes(platform, bytes)).answers[0]?.status).toBe(401);
  });

  test('[H65] each of a thousand wrong tokens is a 401, on one connection as long as it lasts', async () => {
    const platform = await startPlatform();
    const one = `GET ${LIST} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token wrong\r\n\r\n`;
    for (let round = 0; round < 2; round++) {
      const { answers } = await exchange(platform.port, one.repeat(500), { answers: 500 });
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
      expect(answers).toHaveLength(500);
    }
    await expectHarmless(platform);
  });
});

describe('a body that is not read', () => {
  const head = (platform: TestPlatform, token: string, headers: string) =>
    `POST ${NOTES} HTTP/1.1\r\nHost: localhost:${platform.port}\r\nAuthorization: Token ${token}\r\nContent-Type: application/json\r\n${headers}\r\n`;

  test.each([
    ['[H38] of an unknown caller', 'wrong', 'Content-Length: 10', 401],
    ['[H38] that is too large', undefined, 'Content-Length: 6000000', 413],
    [
      '[H52] that is too large, of a caller who does not ask first',
      undefined,
      'Content-Length: 6000000',
      413,
    ],
    ['[H60] of an unknown caller who does not ask first', 'wrong', 'Content-Length: 4000000', 401],
    ['[H60] of an unknown caller without an announced size', 'wrong', 'Transfer-Encoding: chunked', 401],
  ])(
    '%s is refused before a byte of the body has arrived, and the connection ends',
    async (says, given, size, status) => {
      const platform = await startPlatform();
      const asks = says.startsWith('[H38]') ? 'Expect: 100-continue\r\n' : '';
      const bytes = head(platform, given ?? (await platform.token()), `${asks}${size}\r\n`);
      const { answers, text, isClosed } = await refusedBytes(platform, bytes, { untilClosed: true });
      expect([answers.map((answer) => answer.status), isClosed]).toEqual([[status], true]);
      expect(answers[0]!.headers['connection']).toBe('close');
      expect(text).not.toContain('100 Continue');
    },
  );

  test('[H38] a client that waits for 100 Continue sends its body after that', async () => {
    const platform = await startPlatform();
    const bytes = head(
      platform,
      await platform.token(),
      `Expect: 100-continue\r\nContent-Length: ${GOOD.length}\r\n`,
    );
    const asked = await exchange(platform.port, bytes);
    expect(asked.text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    const { answers } = await exchange(platform.port, bytes + GOOD, { answers: 2 });
    expect(answers.map(({ status }) => status)).toEqual([100, 201]);
  });

  test('[H53] a body in chunks is read up to the limit and no further', async () => {
    const platform = await startPlatform({ behaviour: ['body-limit=1000'] });
    const chunk = `400\r\n${'x'.repeat(0x400)}\r\n`;
    const bytes = head(platform, await platform.token(), 'Transfer-Encoding: chunked\r\n');
    const { answers, isClosed } = await exchange(platform.port, bytes + chunk, { untilClosed: true });
    expect([answers.map(({ status }) => status), isClosed]).toEqual([[413], true]);
    await expectHarmless(platform);
  });

  test('[H52] an answer reaches a client that is still sending its body', async () => {
    const platform = await startPlatform();
    const answer = await platform.request('POST', NOTES, {
      body: 'x'.repeat(20_000_000),
      headers: { authorization: `Token ${await platform.token()}` },
    });
    expect(answer.status).toBe(413);
    await expectHarmless(platform);
  });

  test.each([
    ['in chunks', 'Transfer-Encoding: chunked\r\n', '0\r\n\r\n'],
    ['that it asks about and sends at once', 'Expect: 100-continue\r\nContent-Length: 2\r\n', '{}'],
  ])(
    'requests after the last answer of a connection are not carried out: a body %s',
    async (_, size, rest) => {
      const platform = await startPlatform();
      const token = await platform.token();
      const refused = head(platform, 'wrong', size) + rest;
      const good = head(platform, token, `Content-Length: ${GOOD.length}\r\n`) + GOOD;
      const { answers } = await refusedBytes(platform, refused + good, { untilClosed: true });
      expect(answers.map(({ status }) => status)).toEqual([401]);
      expect(await platform.ledger()).toEqual([]);
    },
  );

  test('the answer to a stored request comes before the refusal of the junk after it', async () => {
    const platform = await startPlatform();
    const good = head(platform, await platform.token(), `Content-Length: ${GOOD.length}\r\n`) + GOOD;
    const { answers } = await exchange(platform.port, `${good}\0junk\r\n\r\n`, { untilClosed: true });
    expect(answers.map(({ status }) => status)).toEqual([201, 400]);
    expect(await platform.ledger()).toHaveLength(1);
  });

  test('refusing a short body leaves the connection open', async () => {
    const platform = await startPlatform();
    const refused = `POST ${NOTES} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc`;
    const { answers } = await exchange(platform.port, refused.repeat(2), { answers: 2 });
    expect(answers.map(({ status, headers }) => [status, headers['connection']])).toEqual([
      [401, 'keep-alive'],
      [401, 'keep-alive'],
    ]);
  });
});
