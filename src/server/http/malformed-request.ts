import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { contentTypeOf, headText, textOf, type Answer } from './answer.ts';
import { closeGently } from './closing.ts';

/** No client of the interface ever gets these answers, so their codes are in no table. A 400 has the shape of interface.md 7.1. */
const MALFORMED = badRequest('malformed_request', 'the request is not well-formed HTTP/1.1');
export const HOST_UNCLEAR = badRequest('host_unclear', 'a request has exactly one Host header');
/** RFC 9110, 15.5.20. */
export const MISDIRECTED = plain(421, 'misdirected_request', 'the Host header does not name this server');
export const CROSS_SITE = plain(403, 'cross_site_request', 'pages of other sites may not use this server');
export const VERSION_UNKNOWN = plain(
  505,
  'http_version_not_supported',
  'this server speaks HTTP/1.1; nginx before it needs `proxy_http_version 1.1`',
);
export const EXPECTATION_UNKNOWN = plain(
  417,
  'expectation_failed',
  'this server only knows `Expect: 100-continue`',
);
export const TOO_MANY_HEADERS = plain(431, 'header_too_large', 'the header is too large');
const TOO_SLOW = plain(408, 'request_timeout', 'the request did not arrive in time');
const CHUNKS_TOO_LARGE = plain(413, 'payload_too_large', 'the framing of the body is too large');

/** The answer by Node's error code. Every other code means a malformed request. */
const BY_CODE: Readonly<Record<string, Answer>> = {
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
  HPE_HEADER_OVERFLOW: TOO_MANY_HEADERS,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: CHUNKS_TOO_LARGE,
};

/**
 * Answers a request that Node's parser cannot read, and closes the connection, because the start of the next request is unknown.
 * @param due the responses of the connection that have not ended
 */
export function refuseMalformed(code: string, socket: Socket, due: ReadonlySet<ServerResponse>): void {
  // Whole requests may be stored. Their own answers go first, or the client would take this one for one of them.
  const whole = [...due].findLast(({ req }) => req.complete);
  if (whole) return void whole.once('close', () => refuseMalformed(code, socket, due));
  // Half of an answer has left, so no other answer can be sent.
  if ([...due].some(({ headersSent }) => headersSent)) return void socket.destroy();
  if (!socket.writable) return;
  closeGently(socket);
  const answer = BY_CODE[code] ?? MALFORMED;
  const body = textOf(answer);
  const headers = {
    'content-type': contentTypeOf(answer),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  socket.write(headText(answer.status, headers) + body);
  socket.destroySoon();
}

function plain(status: number, code: string, detail: string): Answer {
  return { status, body: { detail, code } };
}

function badRequest(code: string, detail: string): Answer {
  return { status: 400, body: { detail, code, errors: [{ detail, code, attr: null }] } };
}
