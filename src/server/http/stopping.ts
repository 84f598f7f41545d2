import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from '../options/http-limits.ts';

/**
 * Makes a stop end in time. Node waits for every connection, and a closing server no longer looks for late clients. A
 * request that has arrived whole is answered. Call this before the server listens, and the returned function once, at the stop.
 */
export function stoppingOf(server: Server, limits: HttpLimits): () => void {
  const sockets = new Set<Socket>();
  const unanswered = new Set<ServerResponse>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  let isStopping = false;
  server.on('request', (_request, response) => {
    unanswered.add(response);
    if (isStopping) response.setHeader('connection', 'close');
    response.once('close', () => {
      unanswered.delete(response);
      // Its head may have promised to keep the connection.
      if (isStopping) server.closeIdleConnections();
    });
  });

  const abortIncomplete = () => {
    const whole = [...unanswered].filter(({ req }) => req.complete);
    const kept = new Set(whole.map(({ req }) => req.socket));
    for (const socket of sockets) if (!kept.has(socket)) socket.destroy();
  };
  return () => {
    isStopping = true;
    // Node would wait for a connection that stays open after its answer.
    for (const response of unanswered) if (!response.headersSent) response.setHeader('connection', 'close');
    const timers = [
      setTimeout(abortIncomplete, limits.stopGraceMs),
      setTimeout(() => server.closeAllConnections(), limits.stopTimeoutMs),
    ];
    server.once('close', () => timers.forEach((timer) => clearTimeout(timer)));
  };
}
