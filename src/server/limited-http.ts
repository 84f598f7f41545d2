import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { closeGently } from './closing.ts';
import type { HttpLimits } from './http-limits.ts';

/** The limits as Fastify takes them. */
export function limitedHttp(limits: HttpLimits): Partial<FastifyHttpOptions<Server>> {
  return {
    http: {
      headersTimeout: limits.headersTimeoutMs,
      // Node looks for late senders only every 30 s, unless it is told otherwise; often, so that few are closed at once.
      connectionsCheckingInterval: Math.min(50, limits.headersTimeoutMs / 4),
      // We say so ourselves, in JSON.
      requireHostHeader: false,
    },
    requestTimeout: limits.requestTimeoutMs,
    maxRequestsPerSocket: limits.maxRequestsPerSocket,
  };
}

/** The limits that only the server knows; called before it listens. */
export function limitConnections({ server }: FastifyInstance, limits: HttpLimits): void {
  server.maxConnections = limits.maxConnections;
  // Node would drop the headers past 2,000 without a word; all are counted in the steps instead.
  server.maxHeadersCount = 0;
  // Node says with the last answer that the connection ends, and leaves it open to answer 503 without end.
  const counts = new WeakMap<Socket, number>();
  server.on('request', ({ socket }, response) => {
    const count = (counts.get(socket) ?? 0) + 1;
    counts.set(socket, count);
    if (count !== limits.maxRequestsPerSocket) return;
    closeGently(socket);
    response.once('finish', () => socket.destroySoon());
  });
}
