import type { Dispatcher } from 'undici';
import { AppError } from '../../core/app-error.ts';
import { TOKEN_SCHEME } from '../../core/contract/token.ts';
import { observer } from '../../core/observer.ts';
import type { PlatformAnswer, PlatformRequest } from '../push/ports/platform.ts';
import type { Timing } from '../push/ports/timing.ts';
import { bodyOf, MAX_ANSWER_BYTES, TOO_LONG, type AnswerBody } from './answer-body.ts';
import type { Connections } from './connections.ts';
import {
  isInformationalAnswer,
  isLocalShortage,
  isTimeout,
  networkReason,
  refusedConnection,
  wantedCertificate,
} from './network-failure.ts';
import type { Redaction } from './redaction.ts';

/** A log entry of one request, without any of its content. */
export interface RequestRecord {
  readonly method: string;
  readonly path: string;
  /** Status of the answer, or how the request ended without one. */
  readonly outcome: number | 'not_sent' | 'lost';
  /** Why there was no answer; null when there was one. */
  readonly reason: string | null;
  readonly duration_ms: number;
}

export interface SenderOptions {
  /** Without a final slash; paths are appended to it. */
  readonly baseUrl: string;
  /** Longest time for one request, in milliseconds. */
  readonly timeoutMs: number;
  /** Version of this program, for the User-Agent. */
  readonly version: string;
  /** The trace that the requests belong to, as the program that started this one names it; sent in its W3C form only. */
  readonly traceparent?: string | undefined;
  readonly timing: Timing;
  /** The word before the token; `none` for the token alone. Default: the word of the interface. */
  readonly authScheme?: string;
  /** Default: JSON. */
  readonly contentType?: string;
  record(request: RequestRecord): void;
  /** Gets each request right before its first byte leaves, and returns what gets its end. Secrets are not removed from them. */
  readonly leaving?:
    | ((request: LeavingRequest, hide: (text: string) => string) => (end: RequestEnd) => void)
    | undefined;
  /** Hears of the first failure of `record` and of `leaving`. Neither of them can fail a request. */
  readonly onUnobserved?: ((error: unknown) => void) | undefined;
}

/** A request as it crosses the network. */
export interface LeavingRequest extends PlatformRequest {
  /** Whether it had no token, because it asks for one. */
  readonly isForToken: boolean;
  /** When its first byte left, in milliseconds since 1970. */
  readonly startedMs: number;
}

/** How a request ended that has left. */
export interface RequestEnd {
  /** Null when no whole answer came. */
  readonly answer: Extract<PlatformAnswer, { kind: 'answer' }> | null;
  readonly tookMs: number;
}

/** Sends a request once, with a token or without. @throws AppError as `sendOnce` */
export type SendRequest = (
  request: PlatformRequest,
  token: string | null,
  signal?: AbortSignal,
) => Promise<PlatformAnswer>;

/** Adds headers to requests, records them, and removes secrets from their answers. */
export function requestSender(
  connections: Connections,
  redaction: Redaction,
  {
    baseUrl,
    version,
    traceparent,
    timeoutMs,
    timing,
    authScheme = TOKEN_SCHEME,
    contentType = 'application/json',
    record,
    leaving,
    onUnobserved = () => {},
  }: SenderOptions,
): SendRequest {
  const base = new URL(baseUrl);
  const trace = traceparent !== undefined && TRACEPARENT.test(traceparent) ? { traceparent } : {};
  const prefix = base.pathname.replace(/\/$/, '');
  const recorded = observer(record, onUnobserved);
  const observed = observer((observe: () => void) => observe(), onUnobserved);
  return async ({ method, path, body }, token, signal) => {
    const startedMs = timing.monotonicMs();
    const recordEnd = (outcome: RequestRecord['outcome'], reason: string | null): void =>
      recorded({ method, path, outcome, reason, duration_ms: Math.round(timing.monotonicMs() - startedMs) });
    const authorization = token === null || authScheme === 'none' ? token : `${authScheme} ${token}`;
    const headers = {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': `dataimport/${version}`,
      ...(body !== null && { 'content-type': contentType }),
      ...(authorization !== null && { authorization }),
      ...trace,
    };
    const http = { origin: base.origin, method, path: prefix + path, headers, body, timeoutMs };
    let left: ((end: RequestEnd) => void) | undefined;
    let leftMs = startedMs;
    const leaves = (): void => {
      // Waiting for a connection is no time of the platform.
      leftMs = timing.monotonicMs();
      const request = { method, path, body, isForToken: token === null, startedMs: timing.nowMs() };
      observed(() => (left = leaving?.(request, redaction.hide)));
    };
    const answer = await sendOnce(connections.dispatcher, http, signal, leaves).catch((error: unknown) => {
      recordEnd('not_sent', error instanceof AppError ? error.message : 'it could not be written');
      throw error;
    });
    const tookMs = timing.monotonicMs() - leftMs;
    observed(() => left?.({ answer: answer.kind === 'answer' ? answer : null, tookMs }));
    if (answer.kind === 'answer') {
      recordEnd(answer.status, null);
      // JSON of a success is only compared with the request. Everything else may be shown.
      const isCompared = answer.status < 300 && /^\s*[{[]/.test(answer.body);
      return isCompared ? answer : { ...answer, body: redaction.hide(answer.body) };
    }
    const proxy = connections.proxy();
    const reason = proxy === undefined ? answer.reason : `${answer.reason}, through the proxy ${proxy}`;
    recordEnd(answer.kind, reason);
    return { ...answer, reason };
  };
}

/** Version, trace, span and flags (W3C Trace Context, 3.2). Version ff, and a trace or span of zeros, are forbidden there. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** One HTTP request, complete with its headers. */
export interface HttpRequest {
  readonly origin: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** From the call until the last byte of the answer, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Sends one request once and reads the whole answer. A redirect is an answer like any other. A failure of the network is a
 * value, unless it would happen again. A request that could not be written at all is a bug of ours and is thrown.
 * @throws AppError `certificate_refused`, `credentials_proxy_refused`: nothing was sent, and waiting does not help; `client_certificate_wanted`,
 * also when the request may have left
 */
export function sendOnce(
  dispatcher: Dispatcher,
  request: HttpRequest,
  signal?: AbortSignal,
  leaves: () => void = () => {},
): Promise<PlatformAnswer> {
  if (signal?.aborted) return Promise.resolve({ kind: 'not_sent', reason: 'interrupted' });
  return new Promise((resolve, reject) => {
    const collector = new AnswerCollector(
      { origin: request.origin, leaves },
      (answer) => settle(() => resolve(answer)),
      (error) => settle(() => reject(error)),
    );
    const interrupt = () => collector.timeIsOver('interrupted');
    const timer = setTimeout(() => collector.timeIsOver(TOO_LATE), request.timeoutMs);
    signal?.addEventListener('abort', interrupt, { once: true });
    const settle = (how: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
      how();
    };
    const { origin, method, path, headers, body } = request;
    // undici needs less than half of the time for a body of bytes that it needs for a string.
    const bytes = body === null ? null : Buffer.from(body, 'utf8');
    dispatcher.dispatch({ origin, method, path, headers: { ...headers }, body: bytes }, collector);
  });
}

/** Why a request is given up whose time is over. */
const TOO_LATE = 'no whole answer in time';

/** Calls back once the event loop has read what waits in the sockets. Its current turn may have read them already, so it takes two. */
export function onceSocketsAreRead(act: () => void): void {
  setImmediate(() => setImmediate(act));
}

/**
 * Follows one request to its end.
 *
 *     queued ──onRequestStart──▶ sent ──onResponseStart, onResponseData──▶ answered
 *       │                          │
 *       ├ error, giveUp: not_sent  └ error, giveUp, cut answer: lost
 *       └ refused connection: thrown
 *
 * `onRequestStart` is called right before the first byte is written, so nothing can have been applied before it.
 */
class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly #request: { readonly origin: string; leaves(): void };
  readonly #resolve: (answer: PlatformAnswer) => void;
  readonly #reject: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #status = 0;
  #headers: Record<string, string> = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(
    request: { readonly origin: string; leaves(): void },
    resolve: (answer: PlatformAnswer) => void,
    reject: (error: unknown) => void,
  ) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Ends the request from our side: it was interrupted, or took too long. */
  #giveUp(reason: string): void {
    this.#fail(reason, { timedOut: reason === TOO_LATE });
    this.#controller?.abort(new Error(reason));
  }

  /**
   * Gives up, unless the answer waits in the socket, as after a process that was stopped. Without a connection nothing waits, and a
   * turn of the event loop might send the request.
   */
  timeIsOver(reason: string): void {
    if (!this.#controller) return this.#giveUp(reason);
    const read = this.#status + this.#bytes;
    onceSocketsAreRead(() => {
      if (this.#settled) return;
      if (this.#status + this.#bytes > read) this.timeIsOver(reason);
      else this.#giveUp(reason);
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Given up while it waited for a connection: stop it before its first byte is written.
    if (this.#settled) return controller.abort(new Error('given up'));
    this.#controller = controller;
    this.#request.leaves();
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined)
        this.#headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
    }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#chunks.push(chunk);
    if (this.#bytes <= MAX_ANSWER_BYTES) return;
    this.#answer({ body: '', unreadable: TOO_LONG });
    this.#controller?.abort(new Error(TOO_LONG));
  }

  onResponseEnd(): void {
    this.#answer(bodyOf(this.#headers, this.#chunks));
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    // undici rejected the request before queueing it: we made a wrong header or path.
    const isOurs = (error as { code?: unknown }).code === 'UND_ERR_INVALID_ARG';
    const hasLeft = this.#controller !== undefined;
    const refused = hasLeft ? undefined : refusedConnection(error, this.#request.origin);
    const thrown = isOurs ? error : (refused ?? wantedCertificate(error, hasLeft));
    if (thrown === undefined)
      this.#fail(networkReason(error), {
        timedOut: isTimeout(error),
        isLocal: isLocalShortage(error),
        isInformational: isInformationalAnswer(error),
      });
    else if (!this.#settled) {
      this.#settled = true;
      this.#reject(thrown);
    }
  }

  #answer(body: AnswerBody): void {
    this.#settle({ kind: 'answer', status: this.#status, headers: this.#headers, ...body });
  }

  #fail(reason: string, { timedOut = false, isLocal = false, isInformational = false } = {}): void {
    const kind = this.#controller ? 'lost' : 'not_sent';
    const causes = {
      ...(timedOut && { timedOut }),
      ...(isLocal && { isLocal }),
      ...(isInformational && { isInformational }),
    };
    this.#settle({ kind, reason, ...causes });
  }

  #settle(answer: PlatformAnswer): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#resolve(answer);
  }
}
