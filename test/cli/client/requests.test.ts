import type { Socket } from 'node:net';
import { Agent } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MAX_ANSWER_BYTES, sendOnce } from '../../../src/cli/client/requests.ts';
import type { PlatformAnswer } from '../../../src/cli/push/ports/platform.ts';
import { rawServer, scriptedPlatform } from '../../support/scripted-server.ts';

const BODY = '{"secret":"cell value"}';

interface Trial {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

async function post(origin: string, { timeoutMs = 5_000, signal }: Trial = {}): Promise<PlatformAnswer> {
  const dispatcher = new Agent({ connect: { timeout: 2_000 }, allowH2: false });
  onTestFinished(() => dispatcher.destroy());
  const headers = { authorization: 'Token s3cr3t', 'content-type': 'application/json' };
  const answer = await sendOnce(
    dispatcher,
    { origin, method: 'POST', path: '/x/', headers, body: BODY, timeoutMs },
    signal,
  );
  // A reason never quotes the request.
  if (answer.kind !== 'answer') expect(answer.reason).not.toMatch(/s3cr3t|cell value/);
  return answer;
}

/** The answer that the client reads when the server writes these bytes and then ends the connection so. */
async function answerTo(
  bytes: string | Buffer,
  end: 'close' | 'reset' | 'stall' = 'close',
  trial: Trial = {},
): Promise<PlatformAnswer> {
  const { url } = await rawServer((socket) => {
    socket.write(bytes, () => {
      if (end === 'close') socket.end();
      if (end === 'reset') socket.resetAndDestroy();
    });
  });
  return post(url, trial);
}

const head = (...lines: readonly string[]) => ['HTTP/1.1 201 Created', ...lines, '', ''].join('\r\n');

describe('an answer', () => {
  test('has its status, its headers in lower case, and its text', async () => {
    const { url, received } = await scriptedPlatform([
      { expects: 'POST /x/', status: 429, headers: { 'Retry-After': '7' }, body: { detail: 'Žluť 😀' } },
    ]);
    expect(await post(url)).toMatchObject({
      kind: 'answer',
      status: 429,
      headers: { 'retry-after': '7' },
      body: '{"detail":"Žluť 😀"}',
    });
    expect(received[0]?.body).toBe(BODY);
  });

  test.each([301, 302, 303, 307, 308])(
    'of %d is returned, and its redirect is not followed',
    async (status) => {
      const elsewhere = await scriptedPlatform([]);
      const { url } = await scriptedPlatform([
        { expects: 'POST /x/', status, headers: { location: `${elsewhere.url}/x/` } },
      ]);
      expect(await post(url)).toMatchObject({ kind: 'answer', status });
      expect(elsewhere.received).toEqual([]);
      // A client that follows the redirect gets there.
      const { url: again } = await scriptedPlatform([
        { expects: 'POST /x/', status, headers: { location: '/y/' } },
        { expects: status > 306 ? 'POST /y/' : 'GET /y/' },
      ]);
      expect((await fetch(`${again}/x/`, { method: 'POST', body: BODY })).redirected).toBe(true);
    },
  );

  test('is the final one, not the informational one before it', async () => {
    expect(await answerTo(`HTTP/1.1 103 Early Hints\r\n\r\n${head('Content-Length: 2')}ok`)).toMatchObject({
      status: 201,
      body: 'ok',
    });
  });

  test('has its status even if its body is larger than any body of the interface', async () => {
    const bytes = Buffer.concat([
      Buffer.from(head(`Content-Length: ${MAX_ANSWER_BYTES + 1}`)),
      Buffer.alloc(MAX_ANSWER_BYTES + 1, ' '),
    ]);
    expect(await answerTo(bytes)).toMatchObject({
      kind: 'answer',
      status: 201,
      body: '',
      unreadable: 'it is larger than 16 MiB',
    });
  });
});

describe('nothing was sent when no byte has left', () => {
  test('because the connection is refused', async () => {
    const { url } = await scriptedPlatform([]);
    const closed = url.replace(/\d+$/, '1');
    expect(await post(closed)).toEqual({
      kind: 'not_sent',
      reason: 'the connection was refused (ECONNREFUSED)',
    });
  });

  test('because the host name is unknown', async () => {
    expect(await post('http://no-such-host.invalid')).toMatchObject({
      kind: 'not_sent',
      reason: expect.stringMatching(/name/) as string,
    });
  });

  test('because the server does not speak TLS', async () => {
    const { url } = await rawServer(() => undefined);
    const plain = await rawTls(url);
    expect(plain).toMatchObject({ kind: 'not_sent' });
  });

  test('because the server answers TLS with plain HTTP, which the reason says', async () => {
    const { url } = await scriptedPlatform([]);
    expect(await rawTls(url)).toEqual({
      kind: 'not_sent',
      reason:
        'the server does not speak TLS; does its address begin with http:? (ERR_SSL_WRONG_VERSION_NUMBER)',
    });
  });

  test('because the request was interrupted before it began', async () => {
    expect(await post('http://127.0.0.1:1', { signal: AbortSignal.abort() })).toEqual({
      kind: 'not_sent',
      reason: 'interrupted',
    });
  });

  test('because the request was given up while it waited for a connection, and it is not sent later', async () => {
    const dispatcher = new Agent({ connections: 1, allowH2: false });
    onTestFinished(() => dispatcher.destroy());
    const heads: string[] = [];
    const arrived = Promise.withResolvers<Socket>();
    const { url } = await rawServer((socket, request) => {
      heads.push(request.split(' ')[1]!);
      arrived.resolve(socket);
    });
    const request = { origin: url, method: 'POST', headers: {}, body: null, timeoutMs: 60_000 } as const;
    const first = sendOnce(dispatcher, { ...request, path: '/first/' });
    const socket = await arrived.promise;
    const second = await sendOnce(dispatcher, { ...request, path: '/second/', timeoutMs: 20 });
    expect(second).toEqual({ kind: 'not_sent', reason: 'no whole answer in time', timedOut: true });
    socket.write('HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n');
    expect(await first).toMatchObject({ kind: 'answer', status: 201 });
    await dispatcher.close();
    expect(heads).toEqual(['/first/']);
  });
});

describe('an incomplete answer is lost once bytes have left, because', () => {
  test.each([
    ['the connection is reset before the answer', '', 'reset'],
    ['the connection is closed before the answer', '', 'close'],
    ['the connection is reset after the headers', head('Content-Length: 10'), 'reset'],
    ['the body is shorter than its length', `${head('Content-Length: 10')}[{}]`, 'close'],
    ['the answer is not HTTP', '<html>captive portal</html>', 'close'],
  ] as const)('%s', async (_, bytes, end) => {
    expect(await answerTo(bytes, end)).toEqual({ kind: 'lost', reason: expect.any(String) as string });
  });

  test.each([
    ['no byte arrives', ''],
    ['the headers never end', 'HTTP/1.1 201 Created\r\n'],
    ['the body stops', `${head('Content-Length: 10')}[{}`],
  ])('of a timeout: %s', async (_, bytes) => {
    expect(await answerTo(bytes, 'stall', { timeoutMs: 400 })).toEqual({
      kind: 'lost',
      reason: 'no whole answer in time',
      timedOut: true,
    });
  });

  test('it was interrupted', async () => {
    const interrupt = new AbortController();
    const { url } = await rawServer(() => interrupt.abort());
    expect(await post(url, { signal: interrupt.signal })).toEqual({ kind: 'lost', reason: 'interrupted' });
  });
});

async function rawTls(url: string): Promise<PlatformAnswer> {
  return post(url.replace('http:', 'https:'), { timeoutMs: 300 });
}

test('an answer that begins with 100 Continue, which nobody asked for, is lost with a reason that says what to do', async () => {
  const created = 'HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\n[]';
  expect(await answerTo(created)).toMatchObject({ kind: 'answer', status: 201 });
  const lost = await answerTo(`HTTP/1.1 100 Continue\r\n\r\n${created}`);
  expect(lost).toMatchObject({ kind: 'lost', reason: expect.stringContaining('sent 100 Continue') });
  expect(lost).toMatchObject({ reason: expect.stringContaining('have its operator turn that off') });
});
