import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici';
import { TOKEN_SCHEME, tokenMutationDocument, type TokenMutation } from '../../core/contract/token.ts';
import type { Platform, PlatformAnswer, PlatformRequest } from '../push/ports/platform.ts';
import type { Timing } from '../push/ports/timing.ts';
import { exchange, MAX_ANSWER_BYTES } from './exchange.ts';
import { expiryOf, readToken } from './token-answer.ts';
import { givenToken, renewedTokens, type TokenResult, type TokenSource } from './token-source.ts';

/** How to be let in: a ready-made token, or a way to the API key, asked for once when the first token is needed. */
export type Credentials =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'key'; readonly apiKey: () => Promise<string> };

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

/** What the way to the platform is made of. */
export interface PlatformOptions {
  /** Without a final slash; paths are added to it. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly tokenMutation: TokenMutation;
  /** Connections kept at the same time. */
  readonly connections: number;
  /** Longest time for one request, in milliseconds. */
  readonly timeoutMs: number;
  /** Version of this program, for the User-Agent. */
  readonly version: string;
  /** Proxies to go through, if any. */
  readonly proxy?: ProxyOptions;
  readonly timing: Timing;
  record(request: RequestRecord): void;
}

/** Addresses as HTTP_PROXY, HTTPS_PROXY and NO_PROXY have them; empty where there is none. */
export interface ProxyOptions {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** The platform over HTTP, with an end. */
export interface HttpPlatform extends Platform {
  /**
   * Obtains a token and says when it ends, in milliseconds since 1970 (null when it does not say).
   * @throws AppError `credentials_refused`, and what the way to the key throws
   */
  authenticate(): Promise<{ readonly endsAtMs: number | null } | { readonly later: string }>;
  /** Closes all connections; requests in flight are lost. */
  close(): Promise<void>;
}

/** Longest time to a connection, and how long an idle one is kept, in milliseconds (reliability.md, "Retry"). */
const CONNECT_MS = 10_000;
const KEEP_ALIVE_MS = 4_000;

/** Opens the way to the platform. Nothing is sent before the first request. */
export function openHttpPlatform(options: PlatformOptions): HttpPlatform {
  const { timing, credentials } = options;
  const dispatcher = dispatcherOf(options);
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');

  const call = async (
    request: PlatformRequest,
    token: string | null,
    signal?: AbortSignal,
  ): Promise<PlatformAnswer> => {
    const startedMs = timing.nowMs();
    const { method, path, body } = request;
    const headers = headersOf(options.version, token, body !== null);
    const http = {
      origin: base.origin,
      method,
      path: prefix + path,
      headers,
      body,
      timeoutMs: options.timeoutMs,
    };
    const answer = await exchange(dispatcher, http, signal);
    const outcome = answer.kind === 'answer' ? answer.status : answer.kind;
    const reason = answer.kind === 'answer' ? null : answer.reason;
    options.record({ method, path, outcome, reason, duration_ms: timing.nowMs() - startedMs });
    return answer;
  };

  const tokens: TokenSource =
    credentials.kind === 'token'
      ? givenToken(credentials.token)
      : renewedTokens(obtainToken(credentials.apiKey, options.tokenMutation, call), timing);

  return {
    async send(request, signal) {
      const first = await tokens.current();
      if ('later' in first) return { kind: 'not_sent', reason: first.later };
      const answer = await call(request, first.token, signal);
      if (answer.kind !== 'answer' || answer.status !== 401) return answer;
      // A 401 is given before anything is read (deployments.md, "Order of checks"), so the request was not applied.
      const second = await tokens.insteadOf(first.token);
      if ('later' in second) return { kind: 'not_sent', reason: second.later };
      return call(request, second.token, signal);
    },
    async authenticate() {
      const result = await tokens.current();
      return 'later' in result ? result : { endsAtMs: expiryOf(result.token) ?? null };
    },
    close: () => dispatcher.destroy(),
  };
}

/** The request for a token; the key is asked for once. */
function obtainToken(
  apiKey: () => Promise<string>,
  mutation: TokenMutation,
  call: (request: PlatformRequest, token: null) => Promise<PlatformAnswer>,
): () => Promise<TokenResult> {
  let key: Promise<string> | undefined;
  return async () => {
    key ??= apiKey();
    const body = JSON.stringify({
      query: tokenMutationDocument(mutation.mutation),
      variables: { input: { [mutation.inputField]: await key } },
    });
    return readToken(await call({ method: 'POST', path: mutation.path, body }, null), mutation.path);
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

function dispatcherOf({ connections, timeoutMs, proxy }: PlatformOptions): Dispatcher {
  const options: Agent.Options = {
    connections,
    pipelining: 1,
    // One protocol, so that "cut", "reset" and "not sent" mean one thing.
    allowH2: false,
    connect: { timeout: CONNECT_MS },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
  };
  return proxy ? new EnvHttpProxyAgent({ ...options, ...proxy }) : new Agent(options);
}
