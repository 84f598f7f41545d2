import { AppError, NotSentError } from '../../core/app-error.ts';
import type { TokenMutation } from '../../core/contract/token.ts';
import type { Platform, PlatformAnswer, PlatformRequest } from '../push/ports/platform.ts';
import { gatewayIn } from '../push/ports/seen-answer.ts';
import { openConnections, type ConnectionOptions } from './connections.ts';
import { newRedaction } from './redaction.ts';
import { onceSocketsAreRead, requestSender, type SenderOptions } from './requests.ts';
import {
  endOf,
  givenToken,
  MOST_REFUSED_TOKENS,
  renewedTokens,
  tokenRequest,
  type OAuthClient,
  type ObtainedToken,
  type TokenResult,
  type TokenSource,
} from './token.ts';
import { retryOfStatus } from '../../core/contract/retry.ts';

/** A ready token, or a function that reads the API key, called once when the first token is needed. */
export type Credentials =
  | Readonly<{ kind: 'token'; token: string }>
  | Readonly<{ kind: 'key'; apiKey: () => Promise<string> }>;

export interface PlatformOptions extends SenderOptions, ConnectionOptions {
  readonly credentials: Credentials;
  readonly tokenMutation: TokenMutation;
  /** Gives tokens in place of the mutation. */
  readonly oauth?: OAuthClient | undefined;
}

/** The platform over HTTP, until it is closed. */
export interface HttpPlatform extends Platform {
  /**
   * Obtains a token and returns when it expires, in milliseconds since 1970 (null when it does not say), and the database that
   * its answer names. `later`: why there is no token now, with the headers of the answer, if one came. `signal`: stops waiting.
   * @throws AppError `credentials_refused`, and whatever reading the API key throws
   */
  authenticate(
    signal?: AbortSignal,
  ): Promise<
    Readonly<{ endsAtMs: number | null; database: string | null }> | Extract<TokenResult, { later: string }>
  >;
  /** Address of the proxy that requests go through, without user name and password; undefined while there is none. */
  proxy(): string | undefined;
  /** Closes all connections; requests in flight are lost. */
  close(): Promise<void>;
}

/** Opens the platform. Nothing is sent before the first request. */
export function openHttpPlatform(options: PlatformOptions): HttpPlatform {
  const { credentials, tokenMutation, oauth, timing } = options;
  const connections = openConnections(options);
  const redaction = newRedaction();
  const send = requestSender(connections, redaction, options);
  // No recording has what an authorisation server says, because no local platform plays one.
  const ofOAuth = oauth && { baseUrl: new URL(oauth.tokenUrl).origin, leaving: undefined, ...FORM };
  const tokenRequests = {
    way: oauth ?? tokenMutation,
    send: ofOAuth ? requestSender(connections, redaction, { ...options, ...ofOAuth }) : send,
    redaction,
  };
  const tokens: TokenSource =
    credentials.kind === 'token'
      ? givenToken(credentials.token)
      : renewedTokens(tokenRequest({ apiKey: credentials.apiKey, ...tokenRequests }), timing);
  const isFree = (words: string): boolean => redaction.hideParts(words) === words;

  const sendWith = async (
    obtained: ObtainedToken,
    request: PlatformRequest,
    signal?: AbortSignal,
  ): Promise<PlatformAnswer> => {
    redaction.learn(obtained.token);
    const answer = await send(request, obtained.token, signal);
    if (answer.kind === 'answer' && retryOfStatus(answer.status) === 'never') tokens.accepted(obtained);
    return answer;
  };

  /**
   * The end of a request that was refused with 401. It was not applied, because the platform answers 401 before it reads anything
   * (deployments.md, "Order of checks"). Without `refusedTokens` the token has expired, so another one may be tried at once.
   */
  const refused = (obtained: ObtainedToken, by: Rejection): PlatformAnswer => {
    const gateway = gatewayIn(by, isFree);
    const answer = { kind: 'not_sent', status: UNAUTHENTICATED } as const;
    try {
      const refusedTokens = tokens.refused(obtained);
      if (refusedTokens === 0)
        return { ...answer, reason: 'the token had run out when it arrived (status 401)' };
      const reason = `status 401 for a new token, ${refusedTokens} of ${MOST_REFUSED_TOKENS} in a row`;
      return { ...answer, reason, refusedTokens, ...(gateway !== undefined && { gateway }) };
    } catch (error) {
      throw endedBy(gateway, error);
    }
  };

  return {
    async send(request, signal, onResend) {
      const first = await unlessAborted(tokens.current().catch(withoutToken()), signal);
      if ('later' in first) return notSent(first);
      const answer = await sendWith(first, request, signal);
      if (!isRejected(answer)) return answer;
      const ended = refused(first, answer);
      if ('refusedTokens' in ended) return ended;
      const other = tokens
        .current()
        .catch(withoutToken({ status: UNAUTHENTICATED }, gatewayIn(answer, isFree)));
      const second = await unlessAborted(other, signal);
      if ('later' in second) return { ...notSent(second), status: UNAUTHENTICATED };
      await onResend?.();
      const answered = await sendWith(second, request, signal);
      return isRejected(answered) ? refused(second, answered) : answered;
    },
    async authenticate(signal) {
      const result = await unlessAborted(tokens.current(), signal);
      if ('later' in result) return result;
      return { endsAtMs: endOf(result, timing.nowMs()) ?? null, database: result.database ?? null };
    },
    proxy: () => connections.proxy(),
    close: () => connections.dispatcher.destroy(),
  };
}

/** A request of OAuth: a form, and name and password of the client (RFC 6749, 2.3.1). */
const FORM = { authScheme: 'Basic', contentType: 'application/x-www-form-urlencoded' } as const;

const UNAUTHENTICATED = 401;

type Rejection = Extract<PlatformAnswer, { kind: 'answer' }>;

function isRejected(answer: PlatformAnswer): answer is Rejection {
  return answer.kind === 'answer' && answer.status === UNAUTHENTICATED;
}

/** The error of a rejected token, unless something else than the platform rejected it. */
function endedBy(gateway: string | undefined, error: unknown): unknown {
  const isOfToken = error instanceof AppError && error.code.endsWith('_refused');
  return gateway === undefined || !isOfToken
    ? error
    : new NotSentError('credentials_gateway_refused', { status: UNAUTHENTICATED, reason: gateway }, error);
}

/** There is no token to send a request with. `facts`: of the request that was rejected before, by `gateway` or by the platform. */
function withoutToken(facts: AppError['facts'] = {}, gateway?: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof AppError
      ? endedBy(gateway, new NotSentError(error.code, { ...error.facts, ...facts }, error))
      : error;
  };
}

function notSent({ later, ...facts }: Extract<TokenResult, { later: string }>): PlatformAnswer {
  return { kind: 'not_sent', reason: later, ...facts };
}

/** An interrupted request stops waiting for its token. The request for the token goes on, because others need it, too. */
function unlessAborted(token: Promise<TokenResult>, signal?: AbortSignal): Promise<TokenResult> {
  if (!signal) return token;
  return new Promise((resolve, reject) => {
    const giveUp = (): void => resolve({ later: 'interrupted' });
    if (signal.aborted) return giveUp();
    // A token may wait in the socket, as after a process that was stopped.
    const interrupt = (): void => onceSocketsAreRead(giveUp);
    signal.addEventListener('abort', interrupt, { once: true });
    void token.then(resolve, reject).finally(() => signal.removeEventListener('abort', interrupt));
  });
}
