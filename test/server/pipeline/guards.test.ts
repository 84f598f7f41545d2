import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ENDPOINTS, pathOf } from '../../../src/core/contract/endpoints.ts';
import { MAX_HEADERS } from '../../../src/server/options/http-limits.ts';
import { exchange } from '../../support/server-bytes.ts';
import { postBytes } from '../../support/server-faults.ts';
import { ACCOUNT, charge, startPlatform } from '../../support/server-platform.ts';
import { abandon, firstLineOf, rawRequest } from '../../support/server-raw-http.ts';

const NOTES = ENDPOINTS.createNotes.path;
const GOOD = JSON.stringify({ ...ACCOUNT, notes: [{ body: 'x' }] });

test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY'])(
  '%s on a path with POST is a 405 that allows POST',
  async (method) => {
    const platform = await startPlatform();
    const headers = { authorization: `Token ${await platform.token()}` };
    const answer = await rawRequest(platform.url, { method, path: NOTES, headers });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  },
);

test.each(Object.values(ENDPOINTS))(
  '$path without its trailing slash is a 404 and no redirect',
  async (endpoint) => {
    const platform = await startPlatform();
    const path = pathOf(endpoint, { importSupplier: 'ACME', externalAccountNumber: '1001' }).slice(0, -1);
    const headers = { authorization: `Token ${await platform.token()}` };
    const options = endpoint.method === 'POST' ? { body: GOOD, headers } : { headers };
    const answer = await platform.request(endpoint.method, path, options);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ detail: expect.any(String), code: 'not_found' });
  },
);

test.each([
  { host: 'localhost', status: 200 },
  { host: 'localhost:<port>', status: 200 },
  { host: '127.0.0.1:<port>', status: 200 },
  { host: '[::1]:<port>', status: 200 },
  { host: 'LOCALHOST:<port>', status: 200 },
  { host: '127.0.0.1:1', status: 421 },
  { host: 'evil.example', status: 421 },
  { host: 'evil.example:<port>', status: 421 },
  { host: 'localhost.evil.example', status: 421 },
  { host: 'localhost.:<port>', status: 421 },
  { host: '127.1:<port>', status: 421 },
  { host: 'evil@localhost', status: 421 },
])('the Host header `$host` is answered with $status', async ({ host, status }) => {
  const platform = await startPlatform();
  const headers = { host: host.replace('<port>', String(platform.port)) };
  expect((await rawRequest(platform.url, { path: '/_local/health', headers })).status).toBe(status);
});

test('a server that other machines reach takes any Host for the interface, and none for its page and the admin API', async () => {
  const platform = await startPlatform({ host: '0.0.0.0', allowNetwork: true });
  const { path } = ENDPOINTS.createNotes;
  const statusOf = async (asked: { method?: string; path: string; headers?: Record<string, string> }) =>
    (await rawRequest(platform.url, { ...asked, headers: { host: 'platform', ...asked.headers } })).status;
  const authorization = `Token ${await platform.token()}`;
  const post = { method: 'POST', path, headers: { authorization, 'content-type': 'application/json' } };
  expect(await statusOf(post)).toBe(400);
  expect(await statusOf({ path: '/nowhere' })).toBe(404);
  for (const local of ['/_local/health', '/_local/ui', '/'])
    expect(await statusOf({ path: local })).toBe(421);
  const ofPage = { ...post.headers, origin: 'http://platform' };
  expect(await statusOf({ ...post, headers: ofPage }), 'a page that has pointed its name at the server').toBe(
    403,
  );
});

test('a foreign Host learns nothing: it is a 421 before path, token and method', async () => {
  const platform = await startPlatform();
  const headers = { host: 'evil.example', authorization: `Token ${await platform.token()}` };
  for (const path of ['/nowhere', NOTES, '/_local/ledger']) {
    expect((await rawRequest(platform.url, { path, headers })).status).toBe(421);
  }
});

test.each([
  [{ origin: 'http://elsewhere.example' }, 403],
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{}, 401],
])('a request from a page of another site is a 403', async (headers, status) => {
  const platform = await startPlatform();
  const { path } = ENDPOINTS.createNotes;
  const answer = await platform.request('POST', path, {
    headers: headers as Record<string, string>,
    body: '{}',
  });
  expect(answer.status).toBe(status);
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('with --behaviour cors a page of that origin may call the interface, and nobody else may', async () => {
  const origin = 'http://localhost:5173';
  const platform = await startPlatform({ behaviour: [`cors=${origin}`] });
  const asked = async (method: string, path: string, from: string, token = '') => {
    const headers = { origin: from, 'sec-fetch-site': 'same-site', authorization: `Token ${token}` };
    const answer = await rawRequest(platform.url, { method, path, headers });
    return [answer.status, answer.headers['access-control-allow-origin']];
  };
  const list = pathOf(ENDPOINTS.allAccountImportProcesses, { importSupplier: 'ACME' });
  const preflight = await rawRequest(platform.url, { method: 'OPTIONS', path: NOTES, headers: { origin } });
  expect([preflight.status, preflight.headers]).toMatchObject([
    204,
    {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization, content-type',
      vary: 'origin',
    },
  ]);
  expect(await asked('GET', list, origin, await platform.token())).toEqual([200, origin]);
  expect(await asked('GET', list, origin)).toEqual([401, origin]);
  expect(await asked('GET', list, 'http://localhost:5174')).toEqual([403, undefined]);
  expect(await asked('OPTIONS', NOTES, 'http://localhost:5174')).toEqual([405, undefined]);
  expect(await asked('GET', '/_local/ledger', origin)).toEqual([403, undefined]);
  expect(await asked('OPTIONS', '/_local/ledger', origin)).toEqual([405, undefined]);
});

test.each(['', 'Host: localhost\r\nHost: localhost\r\n'])(
  'a request without exactly one Host header (%j) ends its connection',
  async (hosts) => {
    const platform = await startPlatform();
    const next = 'GET /_local/health HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const sent = `GET /_local/health HTTP/1.1\r\n${hosts}\r\n${next}`;
    const { answers, isClosed } = await exchange(platform.port, sent, { untilClosed: true });
    expect([answers.map(({ status }) => status), isClosed]).toEqual([[400], true]);
    expect(answers[0]!.headers['connection']).toBe('close');
  },
);

test('7.2: an unexpected failure is a 500 that reveals nothing of the inside, and the server goes on', async () => {
  let broken = false;
  const platform = await startPlatform({
    nowMs: () => {
      if (broken) throw new Error('the clock stood still');
      return Date.parse('2026-03-15T12:00:00Z');
    },
  });
  const token = await platform.token();
  broken = true;
  const answer = await platform.request('POST', ENDPOINTS.createTransactions.path, {
    body: JSON.stringify({ ...ACCOUNT, transactions: [charge()] }),
    headers: { authorization: `Token ${token}` },
  });
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({ detail: expect.any(String), code: 'error' });
  expect(answer.text).not.toMatch(/clock|\.ts|at /);
  expect(platform.unexpected).toEqual([new Error('the clock stood still')]);
  broken = false;
  expect((await platform.post('createNotes', GOOD)).status).toBe(201);
});

test('a client that goes away in the middle of its body causes no failure of the server', async () => {
  const platform = await startPlatform();
  const headers = `Host: localhost\r\nAuthorization: Token ${await platform.token()}\r\nContent-Type: application/json`;
  await abandon(
    platform.port,
    `POST ${NOTES} HTTP/1.1\r\n${headers}\r\nContent-Length: 100\r\n\r\n${GOOD.slice(0, 20)}`,
  );
  expect((await platform.post('createNotes', GOOD)).status).toBe(201);
  expect(await platform.ledger()).toHaveLength(1);
  expect(platform.unexpected).toEqual([]);
});

test('a call of the admin API needs no body and no content type', async () => {
  const { url } = await startPlatform();
  const reset = (headers: Record<string, string>) =>
    fetch(`${url}/_local/reset`, { method: 'POST', headers });
  expect((await reset({})).status).toBe(200);
  expect((await reset({ origin: 'https://other.example' })).status).toBe(403);
  const records = await fetch(`${url}/v1/graphql/`, { method: 'POST' });
  expect(records.status).toBe(415);
  const text = await fetch(`${url}/_local/reset`, { method: 'POST', body: '{}' });
  expect(text.status).toBe(415);
});

test.each([
  ['HTTP/1.0', '', 505],
  ['HTTP/1.1', 'Expect: 200-ok\r\n', 417],
  ['HTTP/1.1', 'X: 1\r\n'.repeat(MAX_HEADERS - 1), 200],
  ['HTTP/1.1', 'X: 1\r\n'.repeat(MAX_HEADERS), 431],
])('a request in %s with the headers %j is answered with %i', async (version, headers, status) => {
  const { port } = await startPlatform();
  const sent = `GET /_local/health ${version}\r\nHost: localhost\r\n${headers}\r\n`;
  expect(await firstLineOf(port, sent)).toContain(` ${status} `);
});

test('a link on a page of another site opens the page of the platform, and nothing else', async () => {
  const { url } = await startPlatform();
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const opened = async (path: string, headers: Record<string, string>, method = 'GET') =>
    (await rawRequest(url, { method, path, headers })).status;
  expect(await opened('/', link)).toBe(302);
  expect(await opened('/', link, 'HEAD')).toBe(403);
  expect(await opened('/', { ...link, 'sec-fetch-dest': 'iframe' })).toBe(403);
  expect(await opened('/_local/health', link)).toBe(403);
  expect(await opened('/_local/health', { 'sec-fetch-site': 'same-origin' })).toBe(200);
});

test('a body may have the most bytes of its path', async () => {
  const { request, token } = await startPlatform({ behaviour: ['body-limit=100000'] });
  const headers = { authorization: `Token ${await token()}` };
  const sent = async (path: string, bytes: number) =>
    (await request('POST', path, { headers, body: '{}'.padEnd(bytes) })).status;
  expect([await sent(NOTES, 100_000), await sent(NOTES, 100_001)]).toEqual([400, 413]);
  expect([await sent('/v1/graphql/', 65_536), await sent('/v1/graphql/', 65_537)]).toEqual([200, 413]);
});

test('another machine gets 404 from the admin API and the page, and an answer from the interface', async () => {
  const platform = await startPlatform({ host: '0.0.0.0', allowNetwork: true });
  const { port } = new URL(platform.url);
  const comeFromElsewhere = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    if (String(socket.localPort) === port)
      Object.defineProperty(socket, 'remoteAddress', { value: '192.0.2.7', configurable: true });
  };
  subscribe('http.server.request.start', comeFromElsewhere);
  onTestFinished(() => void unsubscribe('http.server.request.start', comeFromElsewhere));
  for (const path of ['/_local/health', '/_local/ledger', '/'])
    expect([path, (await fetch(platform.url + path)).status]).toEqual([path, 404]);
  const reset = await platform.request('POST', '/_local/reset', { body: '{}' });
  expect([reset.status, reset.body.code]).toEqual([404, 'not_found']);
  expect((await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] })).status).toBe(201);
});

test('a client that asks before it sends too large a body is refused before it sends a byte', async () => {
  const platform = await startPlatform({ behaviour: ['body-limit=1000'] });
  const sent = (await postBytes(platform, 'notes')).split('content-length')[0];
  const asking = `${sent}content-length: 1001\r\nexpect: 100-continue\r\n\r\n`;
  const { answers } = await exchange(platform.port, asking, { untilClosed: true });
  expect(answers.map(({ status, body }) => [status, JSON.parse(body)])).toEqual([
    [413, { detail: 'the request is larger than 1000 bytes', code: 'payload_too_large' }],
  ]);
});
