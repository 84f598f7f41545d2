import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A rest that is read and thrown away, so that the connection can go on; a longer one ends it. */
const SMALL_REST_BYTES = 64 * 1024;

/** How long a sender that is not done is listened to after its answer, in milliseconds. */
const LINGER_MS = 1_000;

/**
 * Makes the end of a connection wait for its sender. One that is closed while it is sent to is reset, and a reset can
 * take with it an answer that was not read yet (RFC 9112, 9.6).
 */
export function closeGently(socket: Socket): void {
  // Node's HTTP server calls this after the last answer; it would stop reading at once.
  socket.destroySoon = () => {
    if (!socket.writable) return;
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}

/** Whether an answer on this connection has been its last; what comes behind it is not for us (RFC 9112, 9.6). */
export function isClosing(socket: Socket): boolean {
  return Object.hasOwn(socket, 'destroySoon');
}

/** Called before an answer: closes the connection after it when the body has not come and need not come. */
export function closeAfterUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request;
  const announced = Number.parseInt(headers['content-length'] ?? '0', 10);
  const isShort = !('transfer-encoding' in headers) && announced <= SMALL_REST_BYTES;
  if (request.complete || (isShort && headers.expect === undefined)) return;
  closeAfterAnswer(socket, response);
}

/** Called before an answer that is the last one of its connection. */
export function closeAfterAnswer(socket: Socket, response: ServerResponse): void {
  response.setHeader('connection', 'close');
  closeGently(socket);
}
