import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { textOf, type Answer } from '../http/answer.ts';
import type { Exchange } from './request-context.ts';
import { contentTypeOf } from './send.ts';
import type { Departure } from '../faults/departure.ts';
import type { Held } from '../faults/held.ts';

/** Ends a request whose answer is no ordinary one: from here on the connection is ours, not the HTTP library's. */
export function departOnWire(
  departure: Exclude<Departure, { kind: 'answer' }>,
  { request, response }: Exchange,
  held: Held,
): void {
  const { socket } = request;
  switch (departure.kind) {
    case 'reset':
      return void socket.resetAndDestroy();
    case 'reset-request':
      held.hold(socket);
      return resetWithin(request, departure.bytes);
    case 'stall':
      held.hold(socket);
      // Read to its end: a sender that is not done would be told after a while that it is too slow.
      return void request.resume();
    case 'reset-answer':
      return write(socket, partOf(departure, response), () => socket.resetAndDestroy());
    case 'truncate':
      return write(socket, partOf(departure, response), () => socket.end());
  }
  departure satisfies never;
}

/** Resets the connection once so many bytes of the body have come, or all of them. */
function resetWithin(request: IncomingMessage, bytes: number): void {
  let seen = 0;
  const reset = () => void request.socket.resetAndDestroy();
  // All of it is here already where a request had to be read to find out whose it is.
  if (bytes === 0 || request.readableEnded) return reset();
  request.on('data', (chunk: Buffer) => {
    seen += chunk.length;
    if (seen >= bytes) reset();
  });
  request.on('end', reset);
}

function write(socket: Socket, bytes: Buffer, then: () => void): void {
  // Its callback comes when the system has taken the bytes; a client that has gone is no matter.
  socket.write(bytes, () => then());
}

interface Part {
  readonly answer: Answer;
  readonly bytes: number;
  /** Announces no length. */
  readonly close?: boolean;
}

/** The head of the answer, and the first bytes of its body. */
function partOf({ answer, bytes, close = false }: Part, response: ServerResponse): Buffer {
  const body = Buffer.from(textOf(answer));
  const contentType = contentTypeOf(answer);
  const headers = {
    ...response.getHeaders(),
    ...answer.headers,
    ...(contentType !== null && { 'content-type': contentType }),
    ...(close ? { connection: 'close' } : { 'content-length': body.length }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  const head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body.subarray(0, bytes)]);
}
