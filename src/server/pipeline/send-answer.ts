import { createReadStream, fstatSync } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { DATABASE_HEADER } from '../../core/contract/database-identity.ts';
import { contentTypeOf, EventStream, NdJson, OpenFile, textOf, type Answer } from '../http/answer.ts';
import { closeAfterUnreadBody } from '../http/closing.ts';
import type { Pending } from '../faults/pending.ts';
import type { Tenants } from '../tenants/tenants.ts';
import type { RequestContext } from './request-context.ts';

interface SendOptions {
  readonly tenants: Tenants;
  /** Keeps connections that have no end of their own. */
  readonly pending: Pending;
}

export function send(context: RequestContext, answer: Answer, { tenants, pending }: SendOptions): void {
  const { request, response } = context;
  context.answer = answer;
  closeAfterUnreadBody(request, response);
  response.statusCode = answer.status;
  nameDatabase(context, tenants);
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  if (answer.body instanceof NdJson) {
    response.setHeader('content-type', 'application/x-ndjson');
    // When a line cannot be made the connection is destroyed, so that the client sees that lines are missing.
    return void pipeline(Readable.from(answer.body.chunks()), response, () => undefined);
  }
  if (answer.body instanceof EventStream) {
    response.setHeader('content-type', 'text/event-stream');
    if (request.method === 'HEAD') return void response.end();
    // A stopping server ends the connection, which would never end by itself.
    pending.keep(request.socket);
    return void pipeline(Readable.from(answer.body.events), response, () => undefined);
  }
  const contentType = contentTypeOf(answer);
  if (contentType !== null) response.setHeader('content-type', contentType);
  if (answer.body instanceof OpenFile) {
    const { descriptor: fd } = answer.body;
    response.setHeader('content-length', fstatSync(fd).size);
    return void pipeline(createReadStream('', { fd }), response, () => undefined);
  }
  const content = textOf(answer);
  if (mayHaveBody(answer.status)) response.setHeader('content-length', Buffer.byteLength(content));
  response.end(content);
}

/**
 * Names the database behind an answer. The name is read only now, because a reset while the request was under way has replaced
 * the contents that the request has read or changed. With `--isolate` a request that identifies no key has no database.
 */
function nameDatabase({ tenant, response }: RequestContext, { isolated, root }: Tenants): void {
  if (tenant === undefined || (isolated && tenant === root)) return;
  response.setHeader(DATABASE_HEADER, tenant.databaseIdentity());
}

/** RFC 9110, 6.4.1. A fault may answer with any status. */
const mayHaveBody = (status: number): boolean => status >= 200 && status !== 204 && status !== 304;
