import { Agent } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exchange } from '../../../src/cli/platform/exchange.ts';
import { interpret } from '../../../src/cli/push/interpret.ts';
import type { PlatformAnswer } from '../../../src/cli/push/ports/platform.ts';
import { RESOURCES, type Resource } from '../../../src/core/contract/resources.ts';
import { rawServer } from '../../support/cli-scripted-platform.ts';
import { answer, batchOf, goodBody } from '../../support/push-batch.ts';

const CONNECTIONS = 32;

/** The ways in which an answer can say where it ends. */
const FRAMINGS = {
  'a length': (body: string) => head(`Content-Length: ${Buffer.byteLength(body)}`) + body,
  'a length, on a connection that closes': (body: string) =>
    head(`Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close') + body,
  chunks: (body: string) => head('Transfer-Encoding: chunked') + chunked(body),
  'chunks, on a connection that closes': (body: string) =>
    head('Transfer-Encoding: chunked', 'Connection: close') + chunked(body),
  'the end of the connection': (body: string) => head('Connection: close') + body,
} as const;

function head(...lines: readonly string[]): string {
  return ['HTTP/1.1 201 Created', 'Content-Type: application/json', ...lines, '', ''].join('\r\n');
}

/** The body in chunks of 100 bytes and the last, empty one. */
function chunked(body: string): string {
  const chunks = body.match(/.{1,100}/gs) ?? [];
  return [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
}

/** What the client sees of the answer when the connection ends after so many bytes, for every number of bytes. */
async function cutsOf(whole: string): Promise<readonly PlatformAnswer[]> {
  const { url } = await rawServer((socket, request) => {
    const bytes = Number.parseInt(/^POST \/(\d+) /.exec(request)![1]!, 10);
    socket.end(whole.slice(0, bytes));
  });
  const dispatcher = new Agent({ connections: CONNECTIONS, allowH2: false });
  onTestFinished(() => dispatcher.destroy());
  const lengths = Array.from({ length: whole.length + 1 }, (_, bytes) => bytes);
  return Promise.all(
    lengths.map((bytes) =>
      exchange(dispatcher, {
        origin: url,
        method: 'POST',
        path: `/${bytes}`,
        headers: {},
        body: '{}',
        timeoutMs: 20_000,
      }),
    ),
  );
}

describe.each(RESOURCES)('a 201 about %s that is cut at any byte is no success', (resource) => {
  test.each(Object.keys(FRAMINGS) as (keyof typeof FRAMINGS)[])(
    'when it is framed by %s',
    async (framing) => {
      const batch = batchOf(resource, resource === 'payment-instructions' ? 1 : 2);
      const whole = FRAMINGS[framing](JSON.stringify(goodBody(resource, batch)));
      const cuts = await cutsOf(whole);
      const kinds = cuts.map((cut) => interpret(resource, batch, cut).kind);
      expect(kinds.at(-1)).toBe('ok');
      // Where there is a length the last bytes of a chunked answer are its frame, and they count as well.
      expect(kinds.slice(0, -1).filter((kind) => kind !== 'ambiguous')).toEqual([]);
    },
  );
});

test('only a close-delimited answer reaches the reader when it is cut, and its JSON gives it away', async () => {
  const batch = batchOf('notes', 2);
  const body = JSON.stringify(goodBody('notes', batch));
  const cuts = await cutsOf(FRAMINGS['the end of the connection'](body));
  // Without a reading of the body each of these would be a success.
  expect(cuts.filter(({ kind }) => kind === 'answer')).toHaveLength(Buffer.byteLength(body) + 1);
  expect((await cutsOf(FRAMINGS['a length'](body))).filter(({ kind }) => kind === 'answer')).toHaveLength(1);
});

const SUCCESS: ReadonlySet<number> = new Set([200, 201]);

test.each(RESOURCES)(
  'of all statuses with a perfect body about %s only 200 and 201 are success',
  (resource: Resource) => {
    const batch = batchOf(resource, 1);
    const body = goodBody(resource, batch);
    const read = Array.from({ length: 900 }, (_, index) => index + 100).filter(
      (status) => interpret(resource, batch, answer(status, body)).kind === 'ok',
    );
    expect(read).toEqual([...SUCCESS]);
  },
);

test.each([209, 226, 299, 507, 520, 527, 599, 600, 799, 999])(
  'a status that nobody knows, %d, may mean that the records were applied',
  (status) => {
    const batch = batchOf('transactions', 1);
    expect(interpret('transactions', batch, answer(status, 'who knows')).kind).toBe('ambiguous');
  },
);
