import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ENDPOINTS, pathOf } from '../../../src/core/contract/endpoints.ts';
import { HTTP_LIMITS } from '../../../src/server/options/http-limits.ts';
import { exchange } from '../../support/server-bytes.ts';
import { expectHarmless } from '../../support/server-harm.ts';
import { abandon, rawConnection } from '../../support/server-raw-http.ts';
import { ACCOUNT, startPlatform, type TestPlatform } from '../../support/server-platform.ts';

const NOTES = ENDPOINTS.createNotes.path;
const LIST = pathOf(ENDPOINTS.allAccountImportProcesses, { importSupplier: 'ACME' });
const GOOD = JSON.stringify({ ...ACCOUNT, notes: [{ body: 'x' }, { body: 'y' }] });

/** Short limits, so that no test has to wait. */
const HURRIED = { ...HTTP_LIMITS, headersTimeoutMs: 80, requestTimeoutMs: 160 };

/** A connection that sends nothing and is destroyed when the test ends. */
function silentSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
    onTestFinished(() => void socket.destroy());
  });
}

async function postHead(platform: TestPlatform, length: number): Promise<string> {
  return `POST ${NOTES} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token ${await platform.token()}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
}

test('the timeouts are those of the list of bad inputs', () => {
  expect(HTTP_LIMITS).toMatchObject({ headersTimeoutMs: 10_000, requestTimeoutMs: 30_000 });
});

test.each([
  ['[H47] a body that does not arrive', (platform: TestPlatform) => postHead(platform, GOOD.length)],
  ['[H48] a header that does not end', async () => `GET ${LIST} HTTP/1.1\r\nHost: localhost\r\nX-Slow: `],
  ['[H49] nothing at all', async () => ''],
])('%s is a 408 after the timeout, and the connection ends', async (_, sent) => {
  const platform = await startPlatform({ http: HURRIED });
  const { answers, isClosed } = await exchange(platform.port, await sent(platform), { untilClosed: true });
  expect([answers.map(({ status }) => status), isClosed]).toEqual([[408], true]);
  expect(JSON.parse(answers[0]!.body)).toMatchObject({ code: 'request_timeout' });
  await expectHarmless(platform);
});

test('[H48] slow connections are closed while a good request is answered', async () => {
  const platform = await startPlatform({ http: HURRIED });
  const slow = Array.from({ length: 50 }, () =>
    exchange(platform.port, 'GET / HTTP/1.1\r\nX: ', { untilClosed: true }),
  );
  await expectHarmless(platform);
  const closed = await Promise.all(slow);
  expect(new Set(closed.map(({ answers, isClosed }) => `${answers[0]?.status} ${isClosed}`))).toEqual(
    new Set(['408 true']),
  );
});

test('[H49] silent connections shut nobody out', async () => {
  const platform = await startPlatform({ http: { ...HTTP_LIMITS, maxConnections: 5 } });
  await Promise.all(Array.from({ length: 20 }, () => silentSocket(platform.port)));
  const { answers } = await exchange(platform.port, `GET ${LIST} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  expect(answers).toMatchObject([{ status: 401, headers: { 'keep-alive': 'timeout=72, max=1000' } }]);
});

test('[H49] the number of connections with a request is limited', async () => {
  const faults = { rules: ['lists accept stall'] };
  const platform = await startPlatform({ faults, http: { ...HTTP_LIMITS, maxConnections: 5 } });
  const list = `GET ${LIST} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  for (let busy = 1; busy <= 5; busy++) {
    (await silentSocket(platform.port)).write(list);
    await expect.poll(() => platform.traffic().faults).toBe(busy);
  }
  expect(await exchange(platform.port, list)).toMatchObject({ answers: [], isClosed: true });
});

test('[H45] of ten thousand requests on one connection the thousandth is the last, and its answer says so', async () => {
  const platform = await startPlatform();
  const one = `GET ${LIST} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const { answers, isClosed } = await exchange(platform.port, one.repeat(10_000), { untilClosed: true });
  const answered = answers.filter(({ status }) => status === 401);
  expect([answered.length, isClosed]).toEqual([HTTP_LIMITS.maxRequestsPerSocket, true]);
  expect(answered.map(({ headers }) => headers['connection']).slice(-2)).toEqual(['keep-alive', 'close']);
  expect(new Set(answers.slice(answered.length).map(({ status }) => status))).not.toContain(401);
  await expectHarmless(platform);
});

test.each([0, 1, 40, GOOD.length - 1])(
  '[H50] a client that resets the connection after %d bytes of its body stores nothing',
  async (bytes) => {
    const platform = await startPlatform();
    await abandon(platform.port, (await postHead(platform, GOOD.length)) + GOOD.slice(0, bytes));
    await expectHarmless(platform);
  },
);

test.each([
  ['a body that does not arrive', async (platform: TestPlatform) => `${await postHead(platform, 50)}{`],
  ['a header that does not end', async () => `GET ${LIST} HTTP/1.1\r\nHost: localhost\r\nX-Slow: `],
])('stopping does not wait for %s', async (_, sent) => {
  const platform = await startPlatform({ http: { ...HTTP_LIMITS, stopMs: 60 } });
  const connection = rawConnection(platform.port, await sent(platform));
  await expectHarmless(platform);
  await platform.close();
  expect(['closed', 'reset']).toContain(await connection.ended);
  expect(connection.received()).toBe('');
});

test('a request whose head is half sent when the server stops is answered, and is the last of its connection', async () => {
  const platform = await startPlatform();
  const connection = rawConnection(platform.port, `GET ${LIST} HTTP/1.1\r\nHost: loc`);
  await expectHarmless(platform);
  const closing = platform.close();
  connection.send('alhost\r\n\r\n');
  await closing;
  expect(await connection.ended).toBe('closed');
  expect(connection.received()).toMatch(/^HTTP\/1\.1 401 [^]*\r\nconnection: close\r\n/i);
});

test('stopping ends even if an answer does not', async () => {
  const sleep = () => new Promise<void>(() => {});
  const http = { ...HTTP_LIMITS, stopMs: 100 };
  const platform = await startPlatform({ http, sleep, faults: { rules: ['notes accept delay=1'] } });
  const connection = rawConnection(platform.port, (await postHead(platform, GOOD.length)) + GOOD);
  await expect.poll(() => platform.faults.unused()).toEqual([]);
  await platform.close();
  expect(connection.received()).toBe('');
});

test('[H51] of a client that goes away before the answer everything is stored, or nothing', async () => {
  const platform = await startPlatform();
  for (let round = 0; round < 20; round++) {
    await abandon(platform.port, (await postHead(platform, GOOD.length)) + GOOD);
    await platform.request('GET', '/_local/health');
    expect([0, 2]).toContain((await platform.ledger()).length);
    await platform.request('POST', '/_local/reset', { body: '{}' });
  }
  await expectHarmless(platform);
});
