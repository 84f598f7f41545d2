import { expect, test } from 'vitest';
import { ENDPOINTS, pathOf } from '../../../src/core/contract/endpoints.ts';
import { exchange } from '../../support/server-bytes.ts';
import { faultyPlatform, POSTS, postBytes } from '../../support/server-faults.ts';
import { ACCOUNT, obtainToken, startPlatform } from '../../support/server-platform.ts';
import { rawConnection, rawRequest } from '../../support/server-raw-http.ts';

const LIST = pathOf(ENDPOINTS.allAccountImportProcesses, { importSupplier: 'ACME' });
const NOTE = { ...ACCOUNT, notes: [{ body: 'x' }] };
const HEALTH = 'GET /_local/health HTTP/1.1\r\nHost: localhost\r\n';

test('a request behind the last answer of a connection is not stored', async () => {
  const platform = await startPlatform();
  const sent = `GET / HTTP/1.1\r\n\r\n${await postBytes(platform, 'notes')}`;
  const { answers } = await exchange(platform.port, sent, { untilClosed: true });
  expect([answers.map(({ status }) => status), await platform.ledger()]).toEqual([[400], []]);
});

test('what is no request is answered behind the answers of the requests before it', async () => {
  const { port } = await startPlatform();
  const { answers } = await exchange(port, `${HEALTH}\r\nnonsense\r\n\r\n`, { untilClosed: true });
  expect(answers.map(({ status }) => status)).toEqual([200, 400]);
});

test('a request that reads waits for no body, and a large one ends its connection', async () => {
  const { port } = await startPlatform();
  const { answers } = await exchange(port, `${HEALTH}Content-Length: 70000\r\n\r\n`);
  expect(answers[0]).toMatchObject({ status: 200, headers: { connection: 'close' } });
});

test('a client that asks whether to send its body is told to', async () => {
  const platform = await startPlatform();
  const [head, body] = (await postBytes(platform, 'notes')).split('\r\n\r\n') as [string, string];
  const connection = rawConnection(platform.port, `${head}\r\nexpect: 100-continue\r\n\r\n`);
  await expect.poll(connection.received).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  connection.send(body);
  await expect.poll(connection.received).toContain('HTTP/1.1 201 Created');
});

test('a refusal for too many requests is not late, and every other answer of the interface is', async () => {
  const limits = [{ endpoints: ['token'], requests: 1, withinMs: 60_000, retryAfterS: null }];
  const platform = await faultyPlatform([], { pace: { latenciesMs: { token: [20], lists: [30] }, limits } });
  const headers = { authorization: `Token ${await platform.token()}` };
  expect(platform.waits).toEqual([20]);
  expect((await obtainToken(platform.request, { APIKey: 'all-key' })).status).toBe(429);
  expect(platform.waits).toEqual([20]);
  expect((await platform.request('GET', `${LIST}?page=1`, { headers })).status).toBe(400);
  await platform.ledger();
  expect(platform.waits).toEqual([20, 30]);
});

test('a list of records is sent line by line', async () => {
  const platform = await startPlatform();
  await platform.post('createNotes', NOTE);
  const { headers, text } = await platform.request('GET', '/_local/ledger');
  expect(headers.get('content-type')).toBe('application/x-ndjson');
  expect(headers.get('content-length')).toBeNull();
  expect(text.split('\n')).toEqual([expect.stringContaining('"body":"x"'), '']);
});

test('a stream of events goes on until the server stops, and HEAD has only its headers', async () => {
  const platform = await startPlatform();
  const path = '/_local/requests/events';
  const head = await rawRequest(platform.url, { method: 'HEAD', path });
  expect([head.status, head.headers['content-type'], head.text]).toEqual([200, 'text/event-stream', '']);
  const connection = rawConnection(platform.port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await expect.poll(connection.received).toContain(': listening\n\n');
  expect(connection.received()).toContain('content-type: text/event-stream\r\n');
  await platform.close();
  expect(await connection.ended).toMatch(/closed|reset/);
});

test('a page that resumes a stream of events reads on behind the last event that it has', async () => {
  const platform = await startPlatform();
  await platform.request('GET', '/v1/nothing');
  const { event_id } = (await platform.request('GET', '/_local/requests/newest')).body;
  await platform.request('GET', '/v1/other');
  const head = 'GET /_local/requests/events HTTP/1.1\r\nHost: localhost\r\n';
  const connection = rawConnection(platform.port, `${head}Last-Event-ID: ${event_id}\r\n\r\n`);
  await expect.poll(connection.received).toContain('"path":"/v1/other"');
  expect(connection.received()).not.toContain('/v1/nothing');
  expect(connection.received()).not.toContain('restarted');
});

test.each([
  [204, null],
  [304, null],
  [205, '0'],
])('the length of an empty answer with status %i is %j', async (status, length) => {
  const platform = await faultyPlatform([`notes accept status=${status} empty`]);
  const answer = await platform.post('createNotes', NOTE);
  expect([answer.status, answer.headers.get('content-length'), answer.text]).toEqual([status, length, '']);
  expect(answer.headers.get('content-type')).toBeNull();
});

test('a fault after the head is logged, and its answer names the database', async () => {
  const platform = await faultyPlatform(['notes before-commit status=503']);
  const { endpoint, payload } = POSTS.notes;
  const { headers, status } = await platform.post(endpoint, payload);
  expect([status, headers.get('x-dataimport-fault')]).toEqual([503, 'armed']);
  expect((await platform.request('GET', '/_local/requests?status=503')).text).toContain(
    '"faults":[{"rule":"notes before-commit status=503","effect":"answer"}]',
  );
});
