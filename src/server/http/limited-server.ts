import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { closeGently } from './closing.ts';
import type { HttpLimits } from '../options/http-limits.ts';

/** How long a connection may wait for its next request, in milliseconds: longer than the clients and proxies of the field. */
const KEEP_ALIVE_MS = 72_000;

/** An HTTP server that no sender can take up for ever. */
export function limitedServer(limits: HttpLimits): Server {
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node looks for late senders only every 30 s, unless it is told otherwise; often, so that few are closed at once.
    connectionsCheckingInterval: Math.min(50, limits.headersTimeoutMs / 4),
    // We say so ourselves, in JSON.
    requireHostHeader: false,
  });
  // As an option it would have to be longer than the time for the header.
  server.requestTimeout = limits.requestTimeoutMs;
  server.maxConnections = limits.maxConnections;
  server.maxRequestsPerSocket = limits.maxRequestsPerSocket;
  // Node would drop the headers past 2,000 without a word; all are counted in the steps instead.
  server.maxHeadersCount = 0;
  return server;
}

/**
 * Closes a connection after its last request: Node says with the answer that it ends, and leaves it open to answer 503
 * without end. Called after the requests are listened to, because what comes on a connection that ends is not looked at.
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
