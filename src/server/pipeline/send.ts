import { pipeline, Readable } from 'node:stream';
import { Page, textOf, type Answer } from '../http/answer.ts';
import { closeAfterUnreadBody } from '../http/closing.ts';
import type { Exchange } from './request-context.ts';
import { NdJson } from '../http/ndjson.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Writes an answer. */
export function send(exchange: Exchange, answer: Answer): void {
  const { request, response } = exchange;
  exchange.answer = answer;
  closeAfterUnreadBody(request, response);
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  if (answer.body instanceof NdJson) {
    response.setHeader('content-type', 'application/x-ndjson');
    // When a line cannot be made the connection is cut, so that its reader sees that there would be more.
    return void pipeline(Readable.from(answer.body.chunks()), response, () => undefined);
  }
  const contentType = contentTypeOf(answer);
  const text = textOf(answer);
  if (contentType !== null) response.setHeader('content-type', contentType);
  if (mayHaveBody(answer.status)) response.setHeader('content-length', Buffer.byteLength(text));
  response.end(text);
}

/** Null for a page that has none. */
export function contentTypeOf({ body }: Answer): string | null {
  return body instanceof Page ? body.contentType : JSON_TYPE;
}

/** RFC 9110, 6.4.1; a fault may answer with any status. */
function mayHaveBody(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 304;
}
