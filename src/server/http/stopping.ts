import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from '../options/http-limits.ts';

/** The end of the connections of a server. */
export interface Stopping {
  /** Called once, when the server stops. */
  begin(): void;
}

/**
 * Sees to it that a stop ends: Node waits for every connection, and once it is told to close, it no longer looks for
 * senders that are late. What has come whole is answered; called before the server listens.
 */
export function stoppingOf(server: Server, limits: HttpLimits): Stopping {
  const sockets = new Set<Socket>();
  const underWay = new Set<ServerResponse>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  let isStopping = false;
  server.on('request', (_request, response) => {
    underWay.add(response);
    if (isStopping) response.setHeader('connection', 'close');
    response.once('close', () => underWay.delete(response));
  });

  const cut = (kept: ReadonlySet<Socket>) => {
    for (const socket of sockets) if (!kept.has(socket)) socket.destroy();
  };
  const cutUnfinished = () => {
    const whole = [...underWay].filter(({ req }) => req.complete);
    cut(new Set(whole.map(({ req }) => req.socket)));
  };
  return {
    begin: () => {
      isStopping = true;
      // A connection that stays open after its answer would be waited for.
      for (const response of underWay) if (!response.headersSent) response.setHeader('connection', 'close');
      const timers = [
        setTimeout(cutUnfinished, limits.stopGraceMs),
        setTimeout(() => cut(new Set()), limits.stopTimeoutMs),
      ];
      server.once('close', () => timers.forEach((timer) => clearTimeout(timer)));
    },
  };
}
