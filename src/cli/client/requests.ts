import { brotliDecompressSync, unzipSync, zstdDecompressSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { AppError } from '../../core/app-error.ts';
import { TOKEN_SCHEME } from '../../core/contract/token.ts';
import { observer } from '../../core/observer.ts';
import type { PlatformAnswer, PlatformRequest } from '../push/ports/platform.ts';
import type { Timing } from '../push/ports/timing.ts';
import type { Connections } from './connections.ts';
import { isTimeout, networkReason, refusedConnection } from './network-failure.ts';
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
  readonly timeoutMs: number;
  readonly version: string;
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

/** One HTTP request, complete with its headers. */
export interface HttpRequest extends PlatformRequest {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  /** From the call until the last byte of the answer, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Sends one request once and reads the whole answer. A redirect is an answer like any other. A failure of the network is a
 * value, unless it would happen again. A request that could not be written at all is a bug of ours and is thrown.
 *
 *     queued ──onRequestStart──▶ sent ──onResponseStart, onResponseData──▶ answered
 *       │                          │
 *       ├ error, giveUp: not_sent  └ error, giveUp, cut answer: lost
 *       └ refused connection: thrown
 *
 * `leaves` is called right before the first byte is written, so nothing can have been applied before it.
 * @throws NotSentError `certificate_refused`, `credentials_gateway_refused`: waiting does not help
 */
export function sendOnce(
  dispatcher: Dispatcher,
  request: HttpRequest,
  signal?: AbortSignal,
  leaves: () => void = () => {},
): Promise<PlatformAnswer> {
  if (signal?.aborted) return Promise.resolve({ kind: 'not_sent', reason: 'interrupted' });
  return new Promise((resolve, reject) => {
    const { origin, method, path, headers: sent, body, timeoutMs } = request;
    const headers: Record<string, string> = {};
    const chunks: Buffer[] = [];
    let controller: Dispatcher.DispatchController | undefined;
    let isSettled = false;
    let status = 0;
    let bytes = 0;
    const settle = (how: () => void): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
      how();
    };
    const answer = (read: AnswerBody): void =>
      settle(() => resolve({ kind: 'answer', status, headers, ...read }));
    const fail = (reason: string, timedOut: boolean): void =>
      settle(() =>
        resolve({ kind: controller ? 'lost' : 'not_sent', reason, ...(timedOut && { timedOut }) }),
      );
    const giveUp = (reason: string): void => {
      fail(reason, reason === TOO_LATE);
      controller?.abort(new Error(reason));
    };
    /** Gives up, unless the answer waits in the socket, as after a process that was stopped. Without a connection nothing waits. */
    const timeIsOver = (reason: string): void => {
      if (!controller) return giveUp(reason);
      const read = status + bytes;
      onceSocketsAreRead(() => {
        if (isSettled) return;
        if (status + bytes > read) timeIsOver(reason);
        else giveUp(reason);
      });
    };
    const interrupt = (): void => timeIsOver('interrupted');
    const timer = setTimeout(() => timeIsOver(TOO_LATE), timeoutMs);
    signal?.addEventListener('abort', interrupt, { once: true });
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        // Given up while it waited for a connection: stop it before its first byte is written.
        if (isSettled) return started.abort(new Error('given up'));
        controller = started;
        leaves();
      },
      onResponseStart(_, code, named) {
        status = code;
        for (const [name, value] of Object.entries(named))
          if (value !== undefined)
            headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
      },
      onResponseData(_, chunk) {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes <= MAX_ANSWER_BYTES) return;
        answer({ body: '', unreadable: TOO_LONG });
        controller?.abort(new Error(TOO_LONG));
      },
      onResponseEnd: () => answer(bodyOf(headers, chunks)),
      onResponseError(_, error) {
        // undici rejected the request before queueing it: we made a wrong header or path.
        const isOurs = (error as { code?: unknown }).code === 'UND_ERR_INVALID_ARG';
        const thrown = isOurs ? error : controller ? undefined : refusedConnection(error, origin);
        if (thrown !== undefined) settle(() => reject(thrown));
        else fail(networkReason(error), isTimeout(error));
      },
    };
    // undici needs less than half of the time for a body of bytes that it needs for a string.
    const written = body === null ? null : Buffer.from(body, 'utf8');
    dispatcher.dispatch({ origin, method, path, headers: { ...sent }, body: written }, handler);
  });
}

const TOO_LATE = 'no whole answer in time';

/** Calls back once the event loop has read what waits in the sockets. Its current turn may have read them already, so it takes two. */
export function onceSocketsAreRead(act: () => void): void {
  setImmediate(() => setImmediate(act));
}

/** Longest body that is read, in bytes, packed or not. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Why a longer body is not read. */
const TOO_LONG = 'it is larger than 16 MiB';

/** A body as text. `unreadable`: why it is empty although bytes came. */
type AnswerBody = { readonly body: string; readonly unreadable?: string };

const LIMIT = { maxOutputLength: MAX_ANSWER_BYTES };

/** Undoes the codings of RFC 9110, 8.4.1. `unzip` knows gzip and deflate by their heads. */
const DECODERS: Readonly<Record<string, (bytes: Buffer, limit: typeof LIMIT) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: unzipSync,
  'x-gzip': unzipSync,
  deflate: unzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** Reads the body of an answer, which a proxy may pack although we ask it not to. JSON is UTF-8 (RFC 8259, 8.1). */
export function bodyOf(headers: Readonly<Record<string, string>>, chunks: readonly Buffer[]): AnswerBody {
  const coding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  const unreadable = (why: string): AnswerBody => ({ body: '', unreadable: why });
  const decode = DECODERS[coding];
  if (!decode) return unreadable(`it cannot be unpacked (${coding})`);
  try {
    const bytes = decode(Buffer.concat(chunks), LIMIT);
    return { body: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ERR_BUFFER_TOO_LARGE') return unreadable(TOO_LONG);
    const isText = code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
    return unreadable(isText ? 'it is not UTF-8' : `it cannot be unpacked (${coding})`);
  }
}
