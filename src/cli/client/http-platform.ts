import { AppError, NotSentError } from '../../core/app-error.ts';
import type { TokenMutation } from '../../core/contract/token.ts';
import {
  NEW_TOKENS_REFUSED,
  type Platform,
  type PlatformAnswer,
  type PlatformRequest,
} from '../push/ports/platform.ts';
import { gatewayIn } from '../push/ports/seen-answer.ts';
import { openConnections, type ConnectionOptions } from './connections.ts';
import { newRedaction } from './redaction.ts';
import { onceSocketsAreRead, requestSender, type SenderOptions } from './requests.ts';
import {
  endOf,
  givenToken,
  renewedTokens,
  tokenRequest,
  type OAuthClient,
  type ObtainedToken,
  type TokenResult,
  type TokenSource,
  expiryOf,
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
  const trials = tokenTrials();
  const isFree = (words: string): boolean => redaction.hideParts(words) === words;

  const sendWith = async (
    obtained: ObtainedToken,
    request: PlatformRequest,
    signal?: AbortSignal,
  ): Promise<PlatformAnswer> => {
    let answer: PlatformAnswer | undefined;
    redaction.learn(obtained.token);
    if (!trials.begin(obtained))
      return {
        kind: 'not_sent',
        reason: 'another request tries a new token',
        refusedTokens: trials.refusedInARow(),
      };
    try {
      return (answer = await send(request, obtained.token, signal));
    } finally {
      trials.end(obtained, tokenUse(obtained, answer, timing.nowMs()));
    }
  };

  /** A refused request was not applied, because the platform answers 401 before it reads anything (deployments.md, "Order of checks"). */
  const refused = (obtained: ObtainedToken, isTokenRefused: boolean, by: Rejection): PlatformAnswer => {
    const refusedTokens = trials.refusedInARow();
    const gateway = gatewayIn(by, isFree);
    if (refusedTokens >= MOST_REFUSED_TOKENS)
      throw endedBy(
        gateway,
        new NotSentError('credentials_refused', { reason: NEW_TOKENS_REFUSED, status: UNAUTHENTICATED }),
      );
    try {
      tokens.drop(obtained);
    } catch (error) {
      throw endedBy(gateway, error);
    }
    const answer = { kind: 'not_sent', status: UNAUTHENTICATED } as const;
    if (!isTokenRefused) return { ...answer, reason: 'the token had run out when it arrived (status 401)' };
    const reason = `status 401 for a new token, ${refusedTokens} of ${MOST_REFUSED_TOKENS} in a row`;
    return { ...answer, reason, refusedTokens, ...(gateway !== undefined && { gateway }) };
  };

  return {
    async send(request, signal, onResend) {
      const first = await unlessAborted(tokens.current().catch(withoutToken()), signal);
      if ('later' in first) return notSent(first);
      const answer = await sendWith(first, request, signal);
      if (!isRejected(answer)) return answer;
      const isRefused = await trials.isRefused(first);
      // An expired token is renewed at once. While new ones are refused, the next one needs a wait.
      if (isRefused || trials.refusedInARow() > 0) return refused(first, isRefused, answer);
      const other = tokens
        .insteadOf(first)
        .catch(withoutToken({ status: UNAUTHENTICATED }, gatewayIn(answer, isFree)));
      const second = await unlessAborted(other, signal);
      if ('later' in second) return { ...notSent(second), status: UNAUTHENTICATED };
      await onResend?.();
      const answered = await sendWith(second, request, signal);
      return isRejected(answered) ? refused(second, await trials.isRefused(second), answered) : answered;
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

/** After so many refused new tokens in a row the platform will not accept the next one. Then a person has to help. */
const MOST_REFUSED_TOKENS = 3;

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

/** What the end of a request says about its token. `unclear`: nothing, or the token may have expired on its way. */
type TokenUse = 'accepted' | 'refused' | 'unclear';

/** A token that says that it ends in this time, in milliseconds, may have ended when it arrived, because it names whole seconds. */
const ENDING_MS = 1_000;

/** A token that seems to have ended for this time, in milliseconds, was obtained by a clock that is wrong. */
const WRONG_CLOCK_MS = 60_000;

/** `answer`: undefined when sending failed. `nowMs`: since 1970. */
function tokenUse({ token }: ObtainedToken, answer: PlatformAnswer | undefined, nowMs: number): TokenUse {
  const retry = answer?.kind === 'answer' ? retryOfStatus(answer.status) : 'wait';
  if (retry !== 'token') return retry === 'wait' ? 'unclear' : 'accepted';
  const leftMs = (expiryOf(token) ?? Infinity) - nowMs;
  return leftMs <= ENDING_MS && leftMs > -WRONG_CLOCK_MS ? 'unclear' : 'refused';
}

/** A token that was not accepted yet. */
interface Trial {
  inFlight: number;
  isRefused: boolean;
  /** A request said nothing, so the token may have expired since. */
  isUnclear: boolean;
  /** Called when the trial is over or nothing is in flight. */
  readonly whenKnown: (() => void)[];
}

/** Whether the platform accepts the tokens that it issues. Begins without any token. */
function tokenTrials() {
  /** In the order of their first use. */
  const trials = new Map<ObtainedToken, Trial>();
  /** Accepted tokens, and those before them. */
  const over = new WeakSet<ObtainedToken>();
  const isKnown = ({ inFlight, isRefused, isUnclear }: Trial): boolean =>
    inFlight === 0 && isRefused && !isUnclear;

  const accept = (token: ObtainedToken): void => {
    for (const [earlier, { whenKnown }] of trials) {
      over.add(earlier);
      trials.delete(earlier);
      for (const resolve of whenKnown) resolve();
      if (earlier === token) return;
    }
  };

  return {
    /** A request with a token begins. False: it must not, because new tokens are refused and another request tries the next one. */
    begin(token: ObtainedToken) {
      if (over.has(token)) return true;
      const all = [...trials.values()];
      const lastKnown = all.findLastIndex(isKnown);
      if (lastKnown >= 0 && all.slice(lastKnown + 1).some(({ inFlight }) => inFlight > 0)) return false;
      const trial = trials.get(token) ?? { inFlight: 0, isRefused: false, isUnclear: false, whenKnown: [] };
      trial.inFlight++;
      trials.set(token, trial);
      return true;
    },
    end(token: ObtainedToken, use: TokenUse) {
      const trial = trials.get(token);
      if (!trial) return;
      trial.inFlight--;
      if (use === 'refused') trial.isRefused = true;
      else if (use === 'unclear') trial.isUnclear = true;
      else accept(token);
      if (trial.inFlight === 0) for (const resolve of trial.whenKnown.splice(0)) resolve();
    },
    /**
     * Whether a token was refused without being accepted once. Otherwise it was accepted and has expired, or may have. Waits for the
     * requests in flight with the token until one is accepted.
     */
    async isRefused(token: ObtainedToken) {
      const trial = trials.get(token);
      if (trial && trial.inFlight > 0) await new Promise<void>((resolve) => trial.whenKnown.push(resolve));
      return trial !== undefined && trials.has(token) && isKnown(trial);
    },
    /** How many tokens were refused since one was accepted. */
    refusedInARow: () => [...trials.values()].filter(isKnown).length,
  };
}
