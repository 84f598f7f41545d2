import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from '../options/http-limits.ts';

/** Ends the connections of a server that stops. */
export interface Stopping {
  /** Called once, when the server stops. */
  begin(): void;
}

/**
 * Makes a stop end in time. Node waits for every connection, and a closing server no longer looks for late clients. A
 * request that has arrived whole is answered. Call this before the server listens.
 */
export function stoppingOf(server: Server, limits: HttpLimits): Stopping {
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

  const abortAllBut = (kept: ReadonlySet<Socket>) => {
    for (const socket of sockets) if (!kept.has(socket)) socket.destroy();
  };
  const abortIncomplete = () => {
    const whole = [...unanswered].filter(({ req }) => req.complete);
    abortAllBut(new Set(whole.map(({ req }) => req.socket)));
  };
  return {
    begin: () => {
      isStopping = true;
      // Node would wait for a connection that stays open after its answer.
      for (const response of unanswered) if (!response.headersSent) response.setHeader('connection', 'close');
      const timers = [
        setTimeout(abortIncomplete, limits.stopGraceMs),
        setTimeout(() => abortAllBut(new Set()), limits.stopTimeoutMs),
      ];
      server.once('close', () => timers.forEach((timer) => clearTimeout(timer)));
    },
  };
}
