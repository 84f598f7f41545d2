import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Outcome } from '../faults/fault-pipeline.ts';
import type { Pending } from '../faults/pending.ts';
import { contentTypeOf, textOf, type Answer } from '../http/answer.ts';
import type { RequestContext } from './request-context.ts';

/** Ends a request without an ordinary answer. From here on the connection is ours, not the HTTP library's. */
export function endOnWire(
  outcome: Exclude<Outcome, { kind: 'answer' }>,
  { request, response }: RequestContext,
  pending: Pending,
): void {
  const { socket } = request;
  switch (outcome.kind) {
    case 'reset':
      return void socket.resetAndDestroy();
    case 'reset-request':
      pending.keep(socket);
      return resetWithin(request, outcome.bytes);
    case 'stall':
      pending.keep(socket);
      // Read the request to its end, or the server would answer 408 to a slow client.
      return void request.resume();
    case 'reset-answer':
      return write(socket, partOf(outcome, response), () => socket.resetAndDestroy());
    case 'truncate':
      return write(socket, partOf(outcome, response), () => socket.end());
  }
  outcome satisfies never;
}

/** Resets the connection after so many bytes of the body, or at its end. */
function resetWithin(request: IncomingMessage, bytes: number): void {
  let seen = 0;
  const reset = () => void request.socket.resetAndDestroy();
  if (bytes === 0) return reset();
  request.on('data', (chunk: Buffer) => {
    seen += chunk.length;
    if (seen >= bytes) reset();
  });
  request.on('end', reset);
}

function write(socket: Socket, bytes: Buffer, then: () => void): void {
  // The callback runs when the system has taken the bytes, or when the client has gone.
  socket.write(bytes, () => then());
}

interface Part {
  readonly answer: Answer;
  readonly bytes: number;
  /** Announces no length. */
  readonly close?: boolean;
}

/** The head of the answer and the first bytes of its body. */
function partOf({ answer, bytes, close = false }: Part, response: ServerResponse): Buffer {
  const body = Buffer.from(textOf(answer));
  const headers = {
    ...response.getHeaders(),
    ...answer.headers,
    // Only an answer that a rule describes has no type, and it is never cut.
    'content-type': contentTypeOf(answer)!,
    ...(close ? { connection: 'close' } : { 'content-length': body.length }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  const head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]!}\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), body.subarray(0, bytes)]);
}
