import { AppError } from '../../core/app-error.ts';
import { TOKEN_SCHEME } from '../../core/contract/token.ts';
import type { PlatformAnswer, PlatformRequest } from '../push/ports/platform.ts';
import type { Timing } from '../push/ports/timing.ts';
import { exchange } from './exchange.ts';
import type { Redaction } from './redaction.ts';
import type { Route } from './route.ts';

/** One line for each request, with nothing of what it carried. */
export interface RequestRecord {
  readonly method: string;
  readonly path: string;
  /** Status of the answer, or what became of the request when there was none. */
  readonly outcome: number | 'not_sent' | 'lost';
  /** Why there was no answer; null when there was one. */
  readonly reason: string | null;
  readonly duration_ms: number;
}

/** What all requests have in common. */
export interface CallOptions {
  /** Without a final slash; paths are added to it. */
  readonly baseUrl: string;
  /** Longest time for one request, in milliseconds. */
  readonly timeoutMs: number;
  /** Version of this program, for the User-Agent. */
  readonly version: string;
  readonly timing: Timing;
  record(request: RequestRecord): void;
}

/** Sends a request once, with a token or without. @throws AppError as `exchange` */
export type Call = (
  request: PlatformRequest,
  token: string | null,
  signal?: AbortSignal,
) => Promise<PlatformAnswer>;

/** Requests on a route, each with its headers and its record, and answers that repeat no secret. */
export function callsOn(route: Route, redaction: Redaction, options: CallOptions): Call {
  const { version, timeoutMs, timing, record } = options;
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  return async ({ method, path, body }, token, signal) => {
    const startedMs = timing.monotonicMs();
    const told = (outcome: RequestRecord['outcome'], reason: string | null): void =>
      record({ method, path, outcome, reason, duration_ms: Math.round(timing.monotonicMs() - startedMs) });
    const headers = headersOf(version, token, body !== null);
    const http = { origin: base.origin, method, path: prefix + path, headers, body, timeoutMs };
    const answer = await exchange(route.dispatcher, http, signal).catch((error: unknown) => {
      told('not_sent', error instanceof AppError ? error.message : 'it could not be written');
      throw error;
    });
    if (answer.kind === 'answer') {
      told(answer.status, null);
      // The body of a success is compared with what was sent, and shown to nobody.
      return answer.status < 300 ? answer : { ...answer, body: redaction.hide(answer.body) };
    }
    const proxy = route.proxy();
    const reason = proxy === undefined ? answer.reason : `${answer.reason}, through the proxy ${proxy}`;
    told(answer.kind, reason);
    return { ...answer, reason };
  };
}

function headersOf(version: string, token: string | null, hasBody: boolean): Record<string, string> {
  return {
    accept: 'application/json',
    'user-agent': `dataimport/${version}`,
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
    ...(token === null ? {} : { authorization: `${TOKEN_SCHEME} ${token}` }),
  };
}
