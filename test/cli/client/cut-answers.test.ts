import { Agent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { sendOnce } from '../../../src/cli/client/requests.ts';
import { classify } from '../../../src/cli/push/answer/classify.ts';
import type { PlatformAnswer } from '../../../src/cli/push/ports/platform.ts';
import { RESOURCES, type Resource } from '../../../src/core/contract/resources.ts';
import { rawServer } from '../../support/scripted-server.ts';
import { answer, batchOf, goodBody } from '../../support/push-batch.ts';

const CONNECTIONS = 32;

/** The ways in which an answer can mark its end. */
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

/** The body in chunks of 100 bytes, with the empty last chunk. */
function chunked(body: string): string {
  const chunks = body.match(/.{1,100}/gs) ?? [];
  return [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
}

/** The answers that the client reads when the connection ends after 0, 1, 2, … bytes. */
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
      sendOnce(dispatcher, {
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

/** The client reads the answers about all resources alike, and returns only those whose end the connection marks. */
const FRAMED = [
  ...(Object.keys(FRAMINGS) as (keyof typeof FRAMINGS)[]).map((framing) => ['notes', framing] as const),
  ...RESOURCES.filter((resource) => resource !== 'notes').map(
    (resource) => [resource, 'the end of the connection'] as const,
  ),
];

test.each(FRAMED)(
  'a 201 about %s that ends after any byte is no success when it is framed by %s',
  async (resource, framing) => {
    const batch = batchOf(resource, resource === 'payment-instructions' ? 1 : 2);
    const whole = FRAMINGS[framing](JSON.stringify(goodBody(resource, batch)));
    const cuts = await cutsOf(whole);
    const kinds = cuts.map((cut) => classify(resource, batch, cut).kind);
    expect(kinds.at(-1)).toBe('ok');
    // The last bytes of a chunked answer are its frame, and an answer without them is incomplete too.
    expect(kinds.slice(0, -1).filter((kind) => kind !== 'ambiguous')).toEqual([]);
  },
);

test('a shortened answer is returned only when the closed connection marks its end, and then its JSON is incomplete', async () => {
  const batch = batchOf('notes', 2);
  const body = JSON.stringify(goodBody('notes', batch));
  const cuts = await cutsOf(FRAMINGS['the end of the connection'](body));
  // A client that did not parse the body would treat each of these as a success.
  expect(cuts.filter(({ kind }) => kind === 'answer')).toHaveLength(Buffer.byteLength(body) + 1);
  expect((await cutsOf(FRAMINGS['a length'](body))).filter(({ kind }) => kind === 'answer')).toHaveLength(1);
});

const SUCCESS: ReadonlySet<number> = new Set([200, 201]);

test.each(RESOURCES)('only 200 and 201 with a complete body about %s are success', (resource: Resource) => {
  const batch = batchOf(resource, 1);
  const body = goodBody(resource, batch);
  const read = Array.from({ length: 900 }, (_, index) => index + 100).filter(
    (status) => classify(resource, batch, answer(status, body)).kind === 'ok',
  );
  expect(read).toEqual([...SUCCESS]);
});
