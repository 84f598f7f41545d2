import { createServer } from 'node:http';
import { createServer as createRawServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sendOnce } from '../../../src/cli/client/requests.ts';
import { openConnections, type ConnectionOptions } from '../../../src/cli/client/connections.ts';

function open(options: Partial<ConnectionOptions>) {
  const { dispatcher } = openConnections({ connections: 1, ...options });
  onTestFinished(() => dispatcher.destroy());
  return (origin: string) =>
    sendOnce(dispatcher, { origin, method: 'GET', path: '/', headers: {}, body: null, timeoutMs: 5_000 });
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

test('a server that accepts the connection and stays silent is given up in time, and nothing was sent', async () => {
  const silent = createRawServer((socket: Socket) => void socket.on('error', () => undefined));
  const port = await listening(silent);
  onTestFinished(() => void silent.close());
  expect(await open({ connectMs: 40 })(`https://127.0.0.1:${port}`)).toEqual({
    kind: 'not_sent',
    reason: 'no connection within 10 s (UND_ERR_CONNECT_TIMEOUT)',
    timedOut: true,
  });
});

test('the client closes an idle connection first, whatever time the server offers', async () => {
  const ports = new Set<number | undefined>();
  let closed = (): void => undefined;
  const isClosed = new Promise<void>((resolve) => (closed = resolve));
  const server = createServer((request, response) => {
    ports.add(request.socket.remotePort);
    request.socket.once('close', closed);
    response.writeHead(200, { 'keep-alive': 'timeout=600' }).end('{}');
  });
  const origin = `http://127.0.0.1:${await listening(server)}`;
  onTestFinished(() => void server.close());
  const get = open({ keepAliveMs: 40 });
  await get(origin);
  await isClosed;
  await get(origin);
  expect(ports.size).toBe(2);
});
