import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from '../options/http-limits.ts';
import { closeGently, isClosing } from './closing.ts';
import { refuseMalformed } from './malformed-request.ts';

/** How long a connection may wait for its next request, in milliseconds. Clients and proxies in use wait less. */
const KEEP_ALIVE_MS = 72_000;

/** The share of the connections from which on a server closes idle ones. */
const FULL = 0.75;

/** The use that a client makes of a connection. */
interface Use {
  requests: number;
  isRefused: boolean;
  /** The responses that have not ended. */
  readonly due: Set<ServerResponse>;
}

/**
 * An HTTP server that no client can occupy for ever.
 * @param answer is called before the client is asked for a body
 */
export function limitedServer(
  limits: HttpLimits,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
) {
  const uses = new WeakMap<Socket, Use>();
  /** The connections without a request. The one that has been idle for longest comes first. */
  const idle = new Set<Socket>();
  let open = 0;
  let isStopping = false;

  const accept = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    if (isClosing(socket)) return;
    const use = uses.get(socket)!;
    use.requests += 1;
    use.due.add(response);
    idle.delete(socket);
    if (isStopping) response.setHeader('connection', 'close');
    response.once('close', () => {
      use.due.delete(response);
      if (use.due.size === 0 && !socket.destroyed) idle.add(socket);
      // An answer before the stop has promised to keep the connection.
      if (isStopping) server.closeIdleConnections();
    });
    answer(request, response);
    if (use.requests !== limits.maxRequestsPerSocket) return;
    // Node announces the end with the answer, then keeps the connection open and answers 503.
    closeGently(socket);
    response.once('finish', () => socket.destroySoon());
  };

  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      // Node's default looks for late clients every 30 s. A short interval closes few of them at a time.
      connectionsCheckingInterval: Math.min(50, limits.headersTimeoutMs / 4),
      // A guard refuses a missing Host header, with JSON.
      requireHostHeader: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    accept,
  );
  // Set here, because Node refuses the option when it is shorter than the time for the header.
  server.requestTimeout = limits.requestTimeoutMs;
  server.maxConnections = limits.maxConnections;
  server.maxRequestsPerSocket = limits.maxRequestsPerSocket;
  // By default Node silently drops headers past 2,000. A guard counts all of them instead.
  server.maxHeadersCount = 0;
  // Node would ask a client with `Expect: 100-continue` for the body before the request is judged. An unknown expectation
  // is refused by a guard, like every other wrong request.
  server.on('checkContinue', accept);
  server.on('checkExpectation', accept);
  server.on('connection', (socket) => {
    uses.set(socket, { requests: 0, isRefused: false, due: new Set() });
    open += 1;
    // In a full server idle connections make room, so that they never take the last place.
    if (open > FULL * limits.maxConnections) idle.values().next().value?.destroy();
    idle.add(socket);
    socket.once('close', () => {
      idle.delete(socket);
      open -= 1;
    });
  });
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => {
    const use = uses.get(socket)!;
    if (code === 'ECONNRESET') return void socket.destroy();
    // Node reports each packet behind the first wrong one.
    if (use.isRefused) return;
    use.isRefused = true;
    refuseMalformed(code, socket, use.due);
  });

  return {
    server,
    /**
     * Takes no more requests, and resolves when the requests in flight have ended. Node waits for every connection, and a closing server
     * no longer looks for late clients, so it closes all of them in the end.
     */
    close: () =>
      new Promise<void>((resolve) => {
        isStopping = true;
        const timer = setTimeout(() => server.closeAllConnections(), limits.stopMs);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}
