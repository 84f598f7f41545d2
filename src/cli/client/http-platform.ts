import { AppError } from '../../core/app-error.ts';
import type { TokenMutation } from '../../core/contract/token.ts';
import type { Platform, PlatformAnswer, PlatformRequest } from '../push/ports/platform.ts';
import { openConnections, type ConnectionOptions } from './connections.ts';
import { newRedaction } from './redaction.ts';
import { requestSender, type SenderOptions } from './requests.ts';
import {
  expiryOf,
  givenToken,
  renewedTokens,
  tokenRequest,
  tokenTrials,
  type TokenResult,
  type TokenSource,
} from './token.ts';

/** A ready token, or a function that reads the API key, called once when the first token is needed. */
export type Credentials =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'key'; readonly apiKey: () => Promise<string> };

export interface PlatformOptions extends SenderOptions, ConnectionOptions {
  readonly credentials: Credentials;
  readonly tokenMutation: TokenMutation;
}

/** The platform over HTTP, until it is closed. */
export interface HttpPlatform extends Platform {
  /**
   * Obtains a token and returns when it expires, in milliseconds since 1970 (null when it does not say). `later`: why there is
   * no token now, with the headers of the answer, if one came. `signal`: stops waiting.
   * @throws AppError `credentials_refused`, and whatever reading the API key throws
   */
  authenticate(
    signal?: AbortSignal,
  ): Promise<{ readonly endsAtMs: number | null } | Extract<TokenResult, { later: string }>>;
  /** Address of the proxy that requests go through, without user name and password; undefined while there is none. */
  proxy(): string | undefined;
  /** Closes all connections; requests in flight are lost. */
  close(): Promise<void>;
}

/** Opens the platform. Nothing is sent before the first request. */
export function openHttpPlatform(options: PlatformOptions): HttpPlatform {
  const { credentials, tokenMutation: mutation, timing } = options;
  const connections = openConnections(options);
  const redaction = newRedaction();
  const send = requestSender(connections, redaction, options);
  const tokens: TokenSource =
    credentials.kind === 'token'
      ? givenToken(credentials.token)
      : renewedTokens(tokenRequest({ apiKey: credentials.apiKey, mutation, send, redaction }), timing);
  const trials = tokenTrials();

  const sendWith = async (
    token: string,
    request: PlatformRequest,
    signal?: AbortSignal,
  ): Promise<PlatformAnswer> => {
    let isAccepted = false;
    redaction.learn(token);
    trials.begin();
    try {
      const answer = await send(request, token, signal);
      isAccepted = answer.kind === 'answer' && !isRejected(answer);
      return answer;
    } finally {
      trials.end(isAccepted);
    }
  };

  return {
    async send(request, signal, onResend) {
      const first = await unlessAborted(tokens.current(), signal);
      if ('later' in first) return notSent(first);
      const answer = await sendWith(first.token, request, signal);
      if (!isRejected(answer)) return answer;
      // The platform answers 401 before it reads anything (deployments.md, "Order of checks"), so nothing was applied.
      const other = tokens.insteadOf(first.token).catch(withStatus);
      const second = await unlessAborted(other, signal);
      if ('later' in second) return { ...notSent(second), status: UNAUTHENTICATED };
      await onResend?.();
      const answered = await sendWith(second.token, request, signal);
      if (!isRejected(answered) || !trials.mayHaveExpired()) return answered;
      // Sending again at once could go on for ever, on a platform where every second request ends the tokens.
      tokens.drop(second.token);
      const reason = 'two tokens had run out by the time they arrived (status 401)';
      return { kind: 'not_sent', reason, status: UNAUTHENTICATED };
    },
    async authenticate(signal) {
      const result = await unlessAborted(tokens.current(), signal);
      return 'later' in result ? result : { endsAtMs: expiryOf(result.token) ?? null };
    },
    proxy: () => connections.proxy(),
    close: () => connections.dispatcher.destroy(),
  };
}

/** Status of a request whose token is rejected. */
const UNAUTHENTICATED = 401;

function isRejected(answer: PlatformAnswer): boolean {
  return answer.kind === 'answer' && answer.status === UNAUTHENTICATED;
}

/** There is no other token, but the rejected request has left. */
function withStatus(error: unknown): never {
  throw error instanceof AppError
    ? new AppError(error.code, { ...error.facts, status: UNAUTHENTICATED }, error)
    : error;
}

function notSent({ later, ...facts }: Extract<TokenResult, { later: string }>): PlatformAnswer {
  return { kind: 'not_sent', reason: later, ...facts };
}

/** An interrupted request stops waiting for its token. The request for the token goes on, because others need it, too. */
function unlessAborted(token: Promise<TokenResult>, signal?: AbortSignal): Promise<TokenResult> {
  if (!signal) return token;
  return new Promise((resolve, reject) => {
    const interrupt = (): void => resolve({ later: 'interrupted' });
    if (signal.aborted) interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    void token.then(resolve, reject).finally(() => signal.removeEventListener('abort', interrupt));
  });
}
