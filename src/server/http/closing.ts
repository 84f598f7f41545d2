import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A shorter rest of a body is read and thrown away, so that the connection stays usable. A longer rest closes it. */
const SMALL_REST_BYTES = 64 * 1024;

/** How long the server keeps reading from a client that still sends after its answer, in milliseconds. */
const LINGER_MS = 1_000;

/**
 * Lets the client finish sending before the connection closes. Closing earlier resets the connection, and a reset can
 * destroy an answer that the client has not read yet (RFC 9112, 9.6).
 */
export function closeGently(socket: Socket): void {
  // Node's HTTP server calls destroySoon after the last answer. Node's own version stops reading at once.
  socket.destroySoon = () => {
    if (!socket.writable) return;
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}

/** Whether the last answer of this connection has been sent. Later bytes are ignored (RFC 9112, 9.6). */
export const isClosing = (socket: Socket): boolean => Object.hasOwn(socket, 'destroySoon');

/** Closes the connection after the answer when the rest of the body is missing or large. Call it before the answer. */
export function closeAfterUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request;
  const announced = Number.parseInt(headers['content-length'] ?? '0', 10);
  const isShort = !('transfer-encoding' in headers) && announced <= SMALL_REST_BYTES;
  if (request.complete || (isShort && headers.expect === undefined)) return;
  closeAfterAnswer(socket, response);
}

/** Closes the connection after the answer. Call it before the answer. */
export function closeAfterAnswer(socket: Socket, response: ServerResponse): void {
  response.setHeader('connection', 'close');
  closeGently(socket);
}
