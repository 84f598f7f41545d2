import { pipeline, Readable } from 'node:stream';
import type { Cut, Outcome } from '../faults/fault-pipeline.ts';
import { Refusal, refusal, type Answer, contentTypeOf, headText, textOf } from '../http/answer.ts';
import { askForBody, readBody, jsonIn } from '../http/body.ts';
import { closeAfterUnreadBody } from '../http/closing.ts';
import { isOwnHost, isThisMachine, targetOf } from '../http/hosts.ts';
import { limitedServer } from '../http/limited-server.ts';
import { portOf } from '../http/listener.ts';
import type { LoggedFault, RequestSubject } from '../http/logged-request.ts';
import type { LocalServer } from '../local-server/local-server.ts';
import { bodyLimitOf, guardsOf, takesBody, type Guard } from './guards.ts';
import { requestContextOf, type RequestContext } from './request-context.ts';
import { DATABASE_HEADER } from '../../core/contract/database-identity.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ENDPOINTS } from '../../core/contract/endpoints.ts';
import { DESCRIPTORS } from '../../core/contract/resources.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import { isResource } from '../faults/fault-rule.ts';
import { KEPT_BODY_BYTES } from '../http/request-log.ts';
import { isJsonObject, type Fields } from '../routes/envelope.ts';
import { problemsFor } from './client-advice.ts';

/** The platform as an HTTP server, which does not listen yet. Every request: guards, body, faults, route, answer. */
export function buildApp(server: LocalServer) {
  const { host, http: limits, pending } = server.settings;
  // Asked once, because asking takes a hundredth of the time of a request.
  let port: number | undefined;
  const isOurs = (given?: string): boolean => isOwnHost(given, { host, port: (port ??= portOf(http)) });
  const guards = guardsOf(isOurs, isThisMachine(host));
  const { server: http, close } = limitedServer(limits, (request, response) => {
    const target = targetOf(request.url!, isOurs);
    void dispatch(requestContextOf(request, response, target, server), guards);
  });

  return {
    http,
    /** Takes no more requests, and resolves when the requests in flight have ended. */
    close: () => {
      const closed = close();
      // Node would wait for connections that a fault keeps open.
      pending.release();
      return closed;
    },
  };
}

async function dispatch(context: RequestContext, guards: readonly Guard[]): Promise<void> {
  const { request, response, method, match } = context;
  try {
    if (match?.access !== 'loopback') recordAtEnd(context);
    for (const guard of guards) {
      const outcome = guard(context);
      if (outcome) return end(context, outcome);
    }
    askForBody(request, response);
    if (takesBody(method)) context.body = await readBody(request, bodyLimitOf(context));
    end(context, await outcomeOf(context));
  } catch (error) {
    // Half of an answer has left, so no other answer can be sent.
    if (response.headersSent) return void request.socket.destroy();
    send(context, answerOfError(error, context));
  }
}

/** Answers a request that has passed the guards, through the fault pipeline when faults are active. */
function outcomeOf(context: RequestContext): Outcome | Promise<Outcome> {
  const { match, target: url, body, server } = context;
  const { endpoint, segments } = match!;
  const { faultPipeline } = server;
  if (!endpoint || !faultPipeline.isActive()) return { kind: 'answer', answer: answerOf(context, body) };
  const handle = (given: Uint8Array | undefined) => answerOf(context, given);
  const takenBy = (fault: LoggedFault) => void context.faults.push(fault);
  return faultPipeline.through({ endpoint, url, segments, body, takenBy, handle });
}

function end(context: RequestContext, outcome: Outcome): void {
  if (outcome.kind === 'answer') return send(context, outcome.answer);
  closeAfterUnreadBody(context.request, context.response);
  endOnWire(outcome, context);
}

function answerOf(context: RequestContext, body: Uint8Array | undefined): Answer {
  const { server, match } = context;
  // The guards have found the route, and the caller where the route needs one.
  const route = match!.route!;
  const call = {
    server,
    segments: match!.segments,
    query: context.query,
    body,
    about: (subject: RequestSubject) => {
      context.subject = subject;
    },
  };
  return route.access === 'token'
    ? route.answer({ ...call, caller: context.caller! })
    : route.answer({ ...call, caller: null });
}

function answerOfError(error: unknown, { server }: RequestContext): Answer {
  if (error instanceof Refusal) return error.answer;
  server.settings.onUnexpectedError(error);
  return refusal('error');
}

function send(context: RequestContext, answer: Answer): void {
  const { request, response } = context;
  context.answer = answer;
  closeAfterUnreadBody(request, response);
  response.statusCode = answer.status;
  nameDatabase(context);
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  if (answer.body instanceof Readable) {
    response.setHeader('content-type', 'application/x-ndjson');
    // When a line cannot be made the connection is destroyed, so that the client sees that lines are missing.
    return void pipeline(answer.body, response, () => undefined);
  }
  const contentType = contentTypeOf(answer);
  if (contentType !== null) response.setHeader('content-type', contentType);
  const content = textOf(answer);
  // RFC 9110, 6.4.1. A fault may answer with any status.
  if (![204, 304].includes(answer.status)) response.setHeader('content-length', Buffer.byteLength(content));
  response.end(content);
}

/**
 * Names the database behind an answer. The name is read only now, because a reset while the request was under way has replaced
 * the contents that the request has read or changed.
 */
function nameDatabase({ isOurs, server, response }: RequestContext): void {
  if (isOurs) response.setHeader(DATABASE_HEADER, server.platform.store.databaseIdentity.get());
}

/** Ends a request without an ordinary answer. From here on the connection is ours, not the HTTP library's. */
function endOnWire(
  outcome: Exclude<Outcome, { kind: 'answer' }>,
  { request, response, server }: RequestContext,
): void {
  const { socket } = request;
  const { pending } = server.settings;
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
    case 'cut':
      // The callback runs when the system has taken the bytes, or when the client has gone.
      return void socket.write(partOf(outcome, response), () => {
        if (outcome.isReset) socket.resetAndDestroy();
        else socket.end();
      });
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

/** The head of the answer and the first bytes of its body. */
function partOf({ answer, bytes, close }: Cut, response: ServerResponse): Buffer {
  const body = Buffer.from(textOf(answer));
  const headers = {
    ...response.getHeaders(),
    ...answer.headers,
    // Only an answer that a rule describes has no type, and it is never cut.
    'content-type': contentTypeOf(answer)!,
    ...(close ? { connection: 'close' } : { 'content-length': body.length }),
  };
  return Buffer.concat([Buffer.from(headText(answer.status, headers)), body.subarray(0, bytes)]);
}

/** Writes a request into the log when its connection is done with it. */
function recordAtEnd(context: RequestContext): void {
  const startedMs = performance.now();
  const { server, method, path, match, response } = context;
  const at = preciseInstantOfClock(server.settings.nowMs());
  response.once('close', () => {
    const { body, answer, faults, subject = subjectOf(context) } = context;
    const isWhole = response.writableFinished;
    const length = Number.parseInt(String(response.getHeader('content-length')), 10);
    // The bodies of a token request and of its answer are secrets.
    const isTokenRequest = match?.access === 'open';
    const codes = answer ? codesOf(answer) : [];
    server.requests.add({
      at,
      method,
      path,
      query: loggable(context.queryText),
      endpoint: match?.endpoint ?? null,
      ...subject,
      status: isWhole ? response.statusCode : null,
      codes,
      ...(answer &&
        (answer.problems || codes.length > 0) && { problems: problemsFor(context, answer, codes, subject) }),
      ...(answer?.created !== undefined && { created: answer.created }),
      ...(answer?.repetitions && answer.repetitions.existing > 0 && { repetitions: answer.repetitions }),
      ...(Object.keys(answer?.tolerated ?? {}).length > 0 && { tolerated: answer!.tolerated }),
      ...(faults.length > 0 && { faults }),
      duration_ms: Math.round((performance.now() - startedMs) * 10) / 10,
      request_bytes: body?.length ?? 0,
      response_bytes: isWhole && !Number.isNaN(length) ? length : null,
      ...(!isTokenRequest && bodiesOf(body, answer)),
    });
  });
}

/** The account of a path, or the account and records that a body names. No route may have judged the body. */
function subjectOf({ match, body }: RequestContext): RequestSubject {
  const { endpoint, segments = {} } = match ?? {};
  const json = endpoint && isResource(endpoint) ? jsonIn(body) : undefined;
  const { import_supplier, external_account_number, ...others } = isJsonObject(json) ? json : {};
  return {
    import_supplier: segments['importSupplier'] ?? nameIn(import_supplier),
    external_account_number: segments['externalAccountNumber'] ?? nameIn(external_account_number),
    records: endpoint && isResource(endpoint) ? recordsIn(others, DESCRIPTORS[endpoint].list) : null,
  };
}

/** Without a list the fields beside the account are one record. */
function recordsIn(others: Fields, list: string | null): number | null {
  if (list === null) return Object.keys(others).length > 0 ? 1 : null;
  const records = others[list];
  return Array.isArray(records) ? records.length : null;
}

/** Longest name of a supplier or an account in the log. A body that nobody has checked may have any. */
const LONGEST_NAME = 128;

function nameIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME ? value : null;
}

const KNOWN_PARAMETERS = new Set<string>(
  Object.values(ENDPOINTS).flatMap((endpoint) => Object.keys('query' in endpoint ? endpoint.query : {})),
);

/** A query without the values of unknown parameters, which may be secrets. An unknown name is kept if it looks like a name. */
function loggable(query: string): string {
  if (query === '') return '';
  return query
    .split('&')
    .map((parameter) => {
      const name = parameter.split('=', 1)[0]!;
      if (KNOWN_PARAMETERS.has(name)) return parameter;
      return /^\w{1,64}$/.test(name) ? name : '…';
    })
    .join('&');
}

function codesOf({ status, hidden, problems = [], body }: Answer): readonly string[] {
  if (hidden) return [hidden.code];
  const errors = problems.flatMap(({ severity, code }) => (severity === 'error' ? [code] : []));
  if (errors.length > 0) return [...new Set(errors)];
  return status >= 400 && isJsonObject(body) && typeof body['code'] === 'string' ? [body['code']] : [];
}

function bodiesOf(body: Uint8Array | undefined, answer: Answer | undefined) {
  return {
    ...(body && { request_body: firstPartOf(Buffer.from(body.buffer, body.byteOffset, body.length)) }),
    ...(answer && { response_body: firstPartOf(Buffer.from(textOf(answer))) }),
  };
}

const firstPartOf = (bytes: Buffer): string => bytes.toString('utf8', 0, KEPT_BODY_BYTES);
