import { AppError, NotSentError } from '../../core/app-error.ts';
import type { TokenMutation } from '../../core/contract/token.ts';
import type { Platform, PlatformAnswer } from '../push/ports/platform.ts';
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

  // A request that was refused with 401 was not applied, because the platform checks the token first (deployments.md, "Order of checks").
  const refused = (
    obtained: ObtainedToken,
    by: Extract<PlatformAnswer, { kind: 'answer' }>,
  ): PlatformAnswer => {
    const gateway = gatewayIn(by, isFree);
    try {
      const refusedTokens = tokens.refused(obtained);
      if (refusedTokens === 0) return EXPIRED;
      const reason = `status 401 for a new token, ${refusedTokens} of ${MOST_REFUSED_TOKENS} in a row`;
      return { ...EXPIRED, reason, refusedTokens, ...(gateway !== undefined && { gateway }) };
    } catch (error) {
      // Something else than the platform refused the token.
      throw gateway === undefined
        ? error
        : new NotSentError('credentials_gateway_refused', { status: EXPIRED.status, reason: gateway }, error);
    }
  };

  const sendWithToken: Platform['send'] = async (request, signal) => {
    const obtained = await unlessAborted(tokens.current().catch(withoutToken), signal);
    if ('later' in obtained) {
      const { later: reason, ...facts } = obtained;
      return { kind: 'not_sent', reason, ...facts };
    }
    redaction.learn(obtained.token);
    const answer = await send(request, obtained.token, signal);
    if (answer.kind !== 'answer') return answer;
    if (answer.status === EXPIRED.status) return refused(obtained, answer);
    if (retryOfStatus(answer.status) === 'never') tokens.accepted(obtained);
    return answer;
  };

  return {
    async send(request, signal, onResend) {
      const answer = await sendWithToken(request, signal);
      if (answer !== EXPIRED) return answer;
      await onResend?.();
      return sendWithToken(request, signal);
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

/** The end of a request whose token had been accepted before. Another token is tried at once. */
const EXPIRED = {
  kind: 'not_sent',
  status: 401,
  reason: 'the token had run out when it arrived (status 401)',
} as const;

/** There is no token to send a request with. */
function withoutToken(error: unknown): never {
  throw error instanceof AppError ? new NotSentError(error.code, error.facts, error) : error;
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
