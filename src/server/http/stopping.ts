import type { Server } from 'node:http';
import type { HttpLimits } from '../options/http-limits.ts';

/**
 * Makes a stop end in time: Node waits for every connection, and a closing server no longer looks for late clients. Call this before
 * the server listens, and the returned function once, at the stop.
 */
export function stoppingOf(server: Server, { stopMs }: HttpLimits): () => void {
  let isStopping = false;
  server.on('request', (_request, response) => {
    if (isStopping) response.setHeader('connection', 'close');
    // An answer before the stop has promised to keep the connection.
    response.once('close', () => {
      if (isStopping) server.closeIdleConnections();
    });
  });
  return () => {
    isStopping = true;
    const timer = setTimeout(() => server.closeAllConnections(), stopMs);
    server.once('close', () => clearTimeout(timer));
  };
}
