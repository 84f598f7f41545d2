import { AppError } from '../../core/app-error.ts';
import type { TokenMutation } from '../../core/contract/token.ts';
import type { Platform, PlatformAnswer, PlatformRequest } from '../push/ports/platform.ts';
import { callsOn, type CallOptions } from './http-call.ts';
import { newRedaction } from './redaction.ts';
import { openRoute, type RouteOptions } from './route.ts';
import { expiryOf, type TokenResult } from './token-answer.ts';
import { tokenRequest } from './token-request.ts';
import { givenToken, renewedTokens, type TokenSource } from './token-source.ts';
import { tokenTrials } from './token-trials.ts';

/** How to be let in: a ready-made token, or a way to the API key, asked for once when the first token is needed. */
export type Credentials =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'key'; readonly apiKey: () => Promise<string> };

/** What the way to the platform is made of. */
export interface PlatformOptions extends CallOptions, RouteOptions {
  readonly credentials: Credentials;
  readonly tokenMutation: TokenMutation;
}

/** The platform over HTTP, with an end. */
export interface HttpPlatform extends Platform {
  /**
   * Obtains a token and says when it ends, in milliseconds since 1970 (null when it does not say).
   * @throws AppError `credentials_refused`, and what the way to the key throws
   */
  authenticate(): Promise<{ readonly endsAtMs: number | null } | { readonly later: string }>;
  /** Address of the proxy that requests go through, without user name and password; undefined while there is none. */
  proxy(): string | undefined;
  /** Closes all connections; requests in flight are lost. */
  close(): Promise<void>;
}

/** Opens the way to the platform. Nothing is sent before the first request. */
export function openHttpPlatform(options: PlatformOptions): HttpPlatform {
  const { credentials, tokenMutation: mutation } = options;
  const route = openRoute(options);
  const redaction = newRedaction();
  const call = callsOn(route, redaction, options);
  const tokens: TokenSource =
    credentials.kind === 'token'
      ? givenToken(credentials.token)
      : renewedTokens(
          tokenRequest({ apiKey: credentials.apiKey, mutation, call, redaction }),
          options.timing,
        );
  const trials = tokenTrials();

  const callWith = async (
    token: string,
    request: PlatformRequest,
    signal?: AbortSignal,
  ): Promise<PlatformAnswer> => {
    let isAccepted = false;
    redaction.learn(token);
    trials.begin();
    try {
      const answer = await call(request, token, signal);
      isAccepted = answer.kind === 'answer' && !isRefusal(answer);
      return answer;
    } finally {
      trials.end(isAccepted);
    }
  };

  return {
    async send(request, signal, again) {
      const first = await unlessAborted(tokens.current(), signal);
      if ('later' in first) return notSent(first);
      const answer = await callWith(first.token, request, signal);
      if (!isRefusal(answer)) return answer;
      // A 401 is given before anything is read (deployments.md, "Order of checks"), so the request was not applied.
      const other = tokens.insteadOf(first.token).catch(withStatus);
      const second = await unlessAborted(other, signal);
      if ('later' in second) return { ...notSent(second), status: REFUSED };
      again?.();
      const answered = await callWith(second.token, request, signal);
      if (!isRefusal(answered) || !trials.mayHaveRunOut()) return answered;
      // Sent once more, it would be refused once more; where every second request ends the tokens, that would go on for ever.
      tokens.drop(second.token);
      const reason = 'two tokens had run out by the time they arrived (status 401)';
      return { kind: 'not_sent', reason, status: REFUSED };
    },
    async authenticate() {
      const result = await tokens.current();
      return 'later' in result ? result : { endsAtMs: expiryOf(result.token) ?? null };
    },
    proxy: () => route.proxy(),
    close: () => route.dispatcher.destroy(),
  };
}

/** Of a request whose token is not taken. */
const REFUSED = 401;

function isRefusal(answer: PlatformAnswer): boolean {
  return answer.kind === 'answer' && answer.status === REFUSED;
}

/** No other token is to be had; the request that was refused has left all the same. */
function withStatus(error: unknown): never {
  throw error instanceof AppError
    ? new AppError(error.code, { ...error.facts, status: REFUSED }, error)
    : error;
}

function notSent({ later, headers }: Extract<TokenResult, { later: string }>): PlatformAnswer {
  return { kind: 'not_sent', reason: later, ...(headers ? { headers } : {}) };
}

/** A token is asked for on behalf of all requests, so one that is interrupted stops waiting and lets the question be. */
function unlessAborted(token: Promise<TokenResult>, signal?: AbortSignal): Promise<TokenResult> {
  if (!signal) return token;
  return new Promise((resolve, reject) => {
    const interrupt = (): void => resolve({ later: 'interrupted' });
    if (signal.aborted) interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    void token.then(resolve, reject).finally(() => signal.removeEventListener('abort', interrupt));
  });
}
