import type { Dispatcher } from 'undici';
import type { PlatformAnswer } from '../push/ports/platform.ts';
import { isTimeout, networkReason, refusedConnection } from './network-reason.ts';

/** One HTTP request, complete with its headers. */
export interface HttpRequest {
  readonly origin: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** From the moment it is handed over until the last byte of the answer, in milliseconds. */
  readonly timeoutMs: number;
}

/** Longest answer that is read, in bytes (reliability.md, "Retry"). */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/**
 * Sends one request once and reads the whole answer. Redirects are answers like any other. Everything that the
 * network does is a value, unless it would do the same again; a request that could not be written at all is a fault
 * of ours.
 * @throws AppError `certificate_refused`, `credentials_proxy_refused`: nothing was sent, and waiting does not help
 */
export function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  signal?: AbortSignal,
): Promise<PlatformAnswer> {
  if (signal?.aborted) return Promise.resolve({ kind: 'not_sent', reason: 'interrupted' });
  return new Promise((resolve, reject) => {
    const collector = new AnswerCollector(
      request.origin,
      (answer) => settle(() => resolve(answer)),
      (fault) => settle(() => reject(fault)),
    );
    const interrupt = () => collector.giveUp('interrupted');
    const timer = setTimeout(() => collector.giveUp('no whole answer in time', true), request.timeoutMs);
    signal?.addEventListener('abort', interrupt, { once: true });
    const settle = (how: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
      how();
    };
    const { origin, method, path, headers, body } = request;
    // A body that is bytes already costs undici less than half of what a string does (performance.md).
    const bytes = body === null ? null : Buffer.from(body, 'utf8');
    dispatcher.dispatch({ origin, method, path, headers: { ...headers }, body: bytes }, collector);
  });
}

/**
 * Hears what becomes of one request.
 *
 *     queued ──onRequestStart──▶ sent ──onResponseStart, onResponseData──▶ answered
 *       │                          │
 *       ├ error, giveUp: not_sent  └ error, giveUp, cut or unreadable answer: lost
 *       └ refused for good: fault
 *
 * The start is announced right before the first byte is written, so until then nothing can have been applied.
 */
class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly #origin: string;
  readonly #done: (answer: PlatformAnswer) => void;
  readonly #fault: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #status = 0;
  #headers: Record<string, string> = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(origin: string, done: (answer: PlatformAnswer) => void, fault: (error: unknown) => void) {
    this.#origin = origin;
    this.#done = done;
    this.#fault = fault;
  }

  /** Ends the exchange from this side: it was interrupted, or took too long, or the answer grew too large. */
  giveUp(reason: string, timedOut = false): void {
    this.#fail(reason, timedOut);
    this.#controller?.abort(new Error(reason));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Given up while it waited for a connection: stop it before a byte of it is written.
    if (this.#settled) controller.abort(new Error('given up'));
    else this.#controller = controller;
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
    if (this.#bytes > MAX_ANSWER_BYTES) this.giveUp('the answer is larger than 16 MiB');
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const body = textOf(this.#chunks);
    if (body === undefined) this.#fail('the answer is not UTF-8');
    else this.#settle({ kind: 'answer', status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    // Refused by the HTTP library before it was queued: a header or path that we should not have made.
    const isOurs = (error as { code?: unknown }).code === 'UND_ERR_INVALID_ARG';
    const fault = isOurs ? error : this.#controller ? undefined : refusedConnection(error, this.#origin);
    if (fault === undefined) this.#fail(networkReason(error), isTimeout(error));
    else if (!this.#settled) {
      this.#settled = true;
      this.#fault(fault);
    }
  }

  #fail(reason: string, timedOut = false): void {
    const kind = this.#controller ? 'lost' : 'not_sent';
    this.#settle({ kind, reason, ...(timedOut ? { timedOut } : {}) });
  }

  #settle(answer: PlatformAnswer): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#done(answer);
  }
}

function textOf(chunks: readonly Buffer[]): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return undefined;
  }
}
