import { pipeline, Readable } from 'node:stream';
import type { Outcome } from '../faults/fault-pipeline.ts';
import type { Pending } from '../faults/pending.ts';
import { Refusal, refusal, type Answer, contentTypeOf, NdJson, textOf } from '../http/answer.ts';
import { askForBody, readBody } from '../http/body.ts';
import { closeAfterUnreadBody, isClosing } from '../http/closing.ts';
import { isOwnHost, isThisMachine, targetOf } from '../http/hosts.ts';
import { closeAfterLastRequest, limitedServer } from '../http/limited-server.ts';
import { portOf } from '../http/listener.ts';
import type { LoggedFault, RequestSubject } from '../http/logged-request.ts';
import { malformedRequests } from '../http/malformed-request.ts';
import { stoppingOf } from '../http/stopping.ts';
import type { HttpLimits } from '../options/http-limits.ts';
import type { LocalServer } from '../local-server/local-server.ts';
import { endOnWire } from './fault-wire.ts';
import { bodyLimitOf, guardsOf, takesBody, type Guard } from './guards.ts';
import { recordAtEnd } from './recorder.ts';
import { requestContextOf, type RequestContext } from './request-context.ts';
import { DATABASE_HEADER } from '../../core/contract/database-identity.ts';

export interface AppOptions {
  readonly server: LocalServer;
  /** The address that the server will listen on. */
  readonly host: string;
  readonly bodyLimitBytes: number;
  readonly http: HttpLimits;
  readonly pending: Pending;
  /** How late each answer of the interface is. */
  readonly latencyMs: number;
  /** The real clock. */
  readonly nowMs: () => number;
  /** Receives errors that no rule expects. Their messages never leave the machine. */
  readonly onUnexpectedError: (error: unknown) => void;
}

/** The platform as an HTTP server, which does not listen yet. Every request: guards, body, faults, route, answer. */
export function buildApp(options: AppOptions) {
  const { pending, http: limits } = options;
  const http = limitedServer(limits);
  // Asked once, because asking takes a hundredth of the time of a request.
  let port: number | undefined;
  const isOurs = (host: string | undefined): boolean =>
    isOwnHost(host, { host: options.host, port: (port ??= portOf(http)) });
  const isLocal = isThisMachine(options.host);
  const dispatching = { ...options, guards: guardsOf({ ...options, isOurs, isLocal }) };
  const malformed = malformedRequests();

  http.on('clientError', malformed.refuse);
  http.on('request', malformed.follow);
  const stop = stoppingOf(http, limits);
  http.on('request', (request, response) => {
    if (isClosing(request.socket)) return;
    const target = targetOf(request.url!, isOurs);
    void dispatch(requestContextOf(request, response, target, options.server), dispatching);
  });
  closeAfterLastRequest(http, limits);

  return {
    http,
    /** Takes no more requests, and resolves when the requests in flight have ended. */
    close: () =>
      new Promise<void>((resolve) => {
        stop();
        // Node would wait for connections that a fault keeps open.
        pending.release();
        http.close(() => resolve());
      }),
  };
}

type DispatchOptions = AppOptions & { readonly guards: readonly Guard[] };

async function dispatch(context: RequestContext, options: DispatchOptions): Promise<void> {
  const { request, response, method, match } = context;
  try {
    if (match?.access !== 'loopback') recordAtEnd(context, options.nowMs);
    for (const guard of options.guards) {
      const outcome = guard(context);
      if (outcome) return end(context, outcome, options);
    }
    askForBody(request, response);
    if (takesBody(method))
      context.body = await readBody(request, bodyLimitOf(match!, options.bodyLimitBytes));
    end(context, await lateOutcome(context, options), options);
  } catch (error) {
    // Half of an answer has left, so no other answer can be sent.
    if (response.headersSent) return void request.socket.destroy();
    send(context, answerOfError(error, options));
  }
}

/** With `--latency` an answer, also a refusal, waits after the request is done. */
async function lateOutcome(context: RequestContext, { latencyMs, pending }: AppOptions): Promise<Outcome> {
  try {
    return await outcomeOf(context);
  } finally {
    if (context.match!.endpoint && latencyMs > 0) await pending.wait(latencyMs);
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

function end(context: RequestContext, outcome: Outcome, options: AppOptions): void {
  if (outcome.kind === 'answer') return send(context, outcome.answer);
  closeAfterUnreadBody(context.request, context.response);
  endOnWire(outcome, context, options.pending);
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
    // Stryker disable next-line BlockStatement: the log would read the same names from the body again.
    about: (subject: RequestSubject) => {
      context.subject = subject;
    },
  };
  return route.access === 'token'
    ? route.answer({ ...call, caller: context.caller! })
    : route.answer({ ...call, caller: null });
}

function answerOfError(error: unknown, { onUnexpectedError }: AppOptions): Answer {
  if (error instanceof Refusal) return error.answer;
  onUnexpectedError(error);
  return refusal('error');
}

function send(context: RequestContext, answer: Answer): void {
  const { request, response } = context;
  context.answer = answer;
  closeAfterUnreadBody(request, response);
  response.statusCode = answer.status;
  nameDatabase(context);
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  if (answer.body instanceof NdJson) {
    response.setHeader('content-type', 'application/x-ndjson');
    // When a line cannot be made the connection is destroyed, so that the client sees that lines are missing.
    return void pipeline(Readable.from(answer.body.chunks()), response, () => undefined);
  }
  const contentType = contentTypeOf(answer);
  if (contentType !== null) response.setHeader('content-type', contentType);
  const content = textOf(answer);
  if (mayHaveBody(answer.status)) response.setHeader('content-length', Buffer.byteLength(content));
  response.end(content);
}

/**
 * Names the database behind an answer. The name is read only now, because a reset while the request was under way has replaced
 * the contents that the request has read or changed.
 */
function nameDatabase({ isOurs, server, response }: RequestContext): void {
  if (isOurs) response.setHeader(DATABASE_HEADER, server.platform.store.databaseIdentity.get());
}

/** RFC 9110, 6.4.1. A fault may answer with any status. */
const mayHaveBody = (status: number): boolean => status !== 204 && status !== 304;
