import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { ENDPOINTS, pathOf } from '../../../src/core/contract/endpoints.ts';
import { admin } from '../../support/server-admin.ts';
import { ACCOUNT, obtainToken, startPlatform, type TestPlatform } from '../../support/server-platform.ts';
import { firstLineOf } from '../../support/server-raw-http.ts';

const LIST = pathOf(ENDPOINTS.allAccountImportProcesses, { importSupplier: 'ACME' });
const listWith = (platform: TestPlatform, authorization?: string) =>
  platform.request('GET', LIST, { headers: authorization === undefined ? {} : { authorization } });

test('5: a token of an API key, sent as `Token <token>`, gives access to every endpoint', async () => {
  const platform = await startPlatform();
  const token = await platform.token('acme-key');
  expect((await listWith(platform, `Token ${token}`)).status).toBe(200);
});

test.each(Object.entries(ENDPOINTS))('5: %s answers 401 without a token', async (_, endpoint) => {
  const platform = await startPlatform();
  const path = pathOf(endpoint, { importSupplier: 'ACME', externalAccountNumber: '1001' });
  const answer = await platform.request(
    endpoint.method,
    path,
    endpoint.method === 'POST' ? { body: '{' } : {},
  );
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Token');
  expect(answer.body).toEqual({ detail: expect.any(String), code: 'not_authenticated' });
});

test.each([
  { header: 'Token <token>', status: 200 },
  { header: 'token <token>', status: 200 },
  { header: 'TOKEN   <token>', status: 200 },
  { header: '<token>', status: 401, code: 'not_authenticated' },
  { header: 'Bearer <token>', status: 401, code: 'not_authenticated' },
  { header: 'JWT <token>', status: 401, code: 'not_authenticated' },
  { header: 'Token', status: 401, code: 'authentication_failed' },
  { header: 'Token <token> more', status: 401, code: 'authentication_failed' },
  { header: 'Token unknown', status: 401, code: 'authentication_failed' },
  { header: 'Token <token>x', status: 401, code: 'authentication_failed' },
  { header: 'Token <token>.x', status: 401, code: 'authentication_failed' },
  { header: 'Token all-key', status: 401, code: 'authentication_failed' },
  { header: 'Token <refresh>', status: 401, code: 'authentication_failed' },
])('`$header` is answered with $status', async ({ header, status, code }) => {
  const platform = await startPlatform();
  const { token, refreshToken } = (await obtainToken(platform.request, { APIKey: 'all-key' })).body.data
    .obtainPlatformToken;
  const answer = await listWith(
    platform,
    header.replace('<token>', token).replace('<refresh>', refreshToken),
  );
  expect(answer.status).toBe(status);
  if (code === undefined) return;
  expect(answer.body.code).toBe(code);
  expect(answer.headers.get('www-authenticate')).toBe('Token');
});

test('a token lives as long as its `exp` says, 60 minutes by default', async () => {
  const platform = await startPlatform();
  const issued = (await obtainToken(platform.request, { APIKey: 'all-key' })).body.data.obtainPlatformToken;
  expect(issued.payload.exp).toBe(platform.clock.nowMs / 1000 + 3600);
  platform.clock.nowMs += 3_599_999;
  expect((await listWith(platform, `Token ${issued.token}`)).status).toBe(200);
  platform.clock.nowMs += 1;
  expect((await listWith(platform, `Token ${issued.token}`)).body.code).toBe('authentication_failed');
});

test('the life of a token is an option', async () => {
  const platform = await startPlatform({ behaviour: ['token-ttl=5s'] });
  const token = await platform.token();
  platform.clock.nowMs += 5_000;
  expect((await listWith(platform, `Token ${token}`)).status).toBe(401);
});

test('a restart forgets tokens, but no key', async () => {
  const before = await startPlatform();
  const token = await before.token();
  const after = await startPlatform();
  expect((await listWith(after, `Token ${token}`)).status).toBe(401);
  expect((await listWith(after, `Token ${await after.token()}`)).status).toBe(200);
});

test('a token that was signed with another secret, or not at all, is refused', async () => {
  const platform = await startPlatform();
  const [, claims, signature] = (await platform.token()).split('.');
  const header = (alg: string) => Buffer.from(JSON.stringify({ alg, typ: 'JWT' })).toString('base64url');
  const content = `${header('HS256')}.${claims}`;
  const other = createHmac('sha256', new Uint8Array(32)).update(content).digest('base64url');
  const statusWith = async (token: string) => (await listWith(platform, `Token ${token}`)).status;
  expect(await statusWith(`${content}.${signature}`)).toBe(200);
  for (const forged of [`${content}.${other}`, `${header('none')}.${claims}.`, `${content}.`])
    expect(await statusWith(forged)).toBe(401);
});

test('the token is checked before the body is read: megabytes without a token are a 401, with a token a 413', async () => {
  const platform = await startPlatform();
  const body = 'x'.repeat(6 * 1024 * 1024);
  const path = ENDPOINTS.createNotes.path;
  expect((await platform.request('POST', path, { body })).status).toBe(401);
  const authorization = `Token ${await platform.token()}`;
  expect((await platform.request('POST', path, { body, headers: { authorization } })).status).toBe(413);
  const onlyHeaders = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000000\r\n\r\n`;
  expect(await firstLineOf(platform.port, onlyHeaders)).toContain('401');
});

test('an anonymous request is a 401 before its method, media type and body are checked', async () => {
  const platform = await startPlatform();
  const path = ENDPOINTS.createNotes.path;
  expect((await platform.request('PUT', path, { body: '{' })).status).toBe(401);
  expect(
    (await platform.request('POST', path, { body: '{', headers: { 'content-type': 'text/plain' } })).status,
  ).toBe(401);
});

test('the key of the option may use all suppliers and is not stored', async () => {
  const platform = await startPlatform({ apiKey: 'own-key' });
  expect(platform.apiKeys.map(({ key }) => key)).toEqual(['own-key', 'all-key', 'acme-key']);
  const beta = await platform.get(
    'allAccountImportProcesses',
    { importSupplier: 'BETA' },
    { apiKey: 'own-key' },
  );
  expect(beta.status).toBe(200);
});

test('no answer repeats a key or token', async () => {
  const platform = await startPlatform();
  const answers = [
    await listWith(platform, 'Token s3cret'),
    await obtainToken(platform.request, { APIKey: 's3cret' }),
  ];
  for (const { text } of answers) expect(text).not.toContain('s3cret');
  await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] });
  expect((await platform.request('GET', '/_local/health')).text).not.toContain('all-key');
});

test('the log of requests has neither API keys nor tokens', async () => {
  const platform = await startPlatform();
  const { token } = (await obtainToken(platform.request, { APIKey: 'all-key' })).body.data
    .obtainPlatformToken;
  const log = JSON.stringify(await admin(platform, 'GET requests'));
  expect(log).toContain('graphql');
  for (const secret of ['all-key', token]) expect(log).not.toContain(secret);
});
