import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from '../options/http-limits.ts';
import { closeGently } from './closing.ts';

/** An HTTP server that no client can occupy for ever. It emits `request` before it asks for a body. */
export function limitedServer(limits: HttpLimits): Server {
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    // Node's default looks for late clients every 30 s. A short interval closes few of them at a time.
    connectionsCheckingInterval: Math.min(50, limits.headersTimeoutMs / 4),
    // A guard refuses a missing Host header, with JSON.
    requireHostHeader: false,
  });
  // Set here, because Node refuses the option when it is shorter than the time for the header.
  server.requestTimeout = limits.requestTimeoutMs;
  server.maxConnections = limits.maxConnections;
  server.maxRequestsPerSocket = limits.maxRequestsPerSocket;
  // By default Node silently drops headers past 2,000. A guard counts all of them instead.
  server.maxHeadersCount = 0;
  limitIdleConnections(server, limits);

  // Node would ask a client with `Expect: 100-continue` for the body before the request is judged. An unknown expectation
  // is refused by a guard, like every other wrong request.
  const judge = (request: IncomingMessage, response: ServerResponse) =>
    void server.emit('request', request, response);
  server.on('checkContinue', judge);
  server.on('checkExpectation', judge);
  return server;
}

/**
 * Closes a connection after its last request. Node announces the end with the answer, then keeps the connection open and
 * answers 503. Call this after the listener for requests is added, because a closing connection accepts no request.
 */
export function closeAfterLastRequest(server: Server, { maxRequestsPerSocket }: HttpLimits): void {
  const counts = new WeakMap<Socket, number>();
  server.on('request', ({ socket }, response) => {
    const count = (counts.get(socket) ?? 0) + 1;
    counts.set(socket, count);
    if (count !== maxRequestsPerSocket) return;
    closeGently(socket);
    response.once('finish', () => socket.destroySoon());
  });
}

/** How long a connection may wait for its next request, in milliseconds. Clients and proxies in use wait less. */
const KEEP_ALIVE_MS = 72_000;

/** The share of the connections from which on a server closes idle ones. */
const FULL = 0.75;

/**
 * Keeps connections without a request from shutting others out. In a full server each new connection closes the one that has been
 * idle for longest, so that idle ones never take the last place.
 */
export function limitIdleConnections(
  server: Pick<Server, 'on' | 'keepAliveTimeout'>,
  { maxConnections }: HttpLimits,
): void {
  /** The connection that has been idle for longest comes first. */
  const idle = new Set<Socket>();
  const requests = new WeakMap<Socket, number>();
  let open = 0;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on('connection', (socket) => {
    open += 1;
    if (open > FULL * maxConnections) idle.values().next().value?.destroy();
    idle.add(socket);
    socket.once('close', () => {
      idle.delete(socket);
      open -= 1;
    });
  });
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = requests.get(socket)! - 1;
      requests.set(socket, left);
      if (left === 0 && !socket.destroyed) idle.add(socket);
    });
  });
}
