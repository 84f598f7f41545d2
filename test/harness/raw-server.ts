import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { PlatformAnswer } from '../../src/cli/push/ports/platform.ts';

/** The ways in which an answer marks its end. */
export const FRAMINGS = ['content-length', 'chunked', 'close'] as const;
export type Framing = (typeof FRAMINGS)[number];

/** A request, parsed from its bytes. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** The bytes of an answer. `close`: the connection ends after them. */
export interface RawAnswer {
  readonly bytes: Uint8Array;
  readonly close: boolean;
  /** Bytes that follow again and again until the client ends the connection. */
  readonly drip?: Uint8Array;
  /** Whether the process of client and server stands still behind them, so that their reader finds its time over. */
  readonly standsStill?: true;
}

/** Longer than a hasty client waits, in milliseconds. */
const STANDSTILL_MS = 300;

/** Stops this process, as SIGSTOP and SIGCONT do. */
function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STANDSTILL_MS);
}

/** How long the server waits between two of them, in milliseconds. */
const DRIP_MS = 20;

/** A server that answers with given bytes. */
export interface RawServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function rawServer(answer: (request: RawRequest) => Promise<RawAnswer>): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const whole = wholeRequest(received);
      if (!whole) return;
      received = received.subarray(whole.length);
      void answer(whole.request).then(({ bytes, close, drip, standsStill }) => {
        if (close) return void socket.end(bytes);
        socket.write(bytes);
        if (standsStill) standStill();
        if (drip === undefined) return;
        const dripping = setInterval(() => socket.write(drip), DRIP_MS);
        socket.once('close', () => clearInterval(dripping));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

function wholeRequest(bytes: Buffer): { readonly request: RawRequest; readonly length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const length = end + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  if (bytes.length < length) return undefined;
  const [method, path] = head.split(' ') as [string, string];
  return { request: { method, path, body: bytes.toString('utf8', end + 4, length) }, length };
}

/** The bytes of an answer. */
export function bytesOf(answer: Extract<PlatformAnswer, { kind: 'answer' }>, framing: Framing): Uint8Array {
  const body = Buffer.from(answer.body);
  const given = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
  const framed = {
    'content-length': { header: `content-length: ${body.length}`, body },
    chunked: { header: 'transfer-encoding: chunked', body: inChunks(body) },
    close: { header: 'connection: close', body },
  }[framing];
  const head = [
    `HTTP/1.1 ${answer.status} Whatever`,
    'content-type: application/json',
    ...given,
    framed.header,
    '',
    '',
  ].join('\r\n');
  return Buffer.concat([Buffer.from(head), framed.body]);
}

function inChunks(body: Buffer): Buffer {
  const middle = Math.ceil(body.length / 2);
  const parts = [body.subarray(0, middle), body.subarray(middle)].filter((part) => part.length > 0);
  const chunks = parts.flatMap((part) => [
    Buffer.from(`${part.length.toString(16)}\r\n`),
    part,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}
