import * as z from 'zod/mini';
import { AppError, NotSentError } from '../../core/app-error.ts';
import { databaseNamedIn } from '../../core/contract/database-identity.ts';
import { retryOfStatus } from '../../core/contract/retry.ts';
import { tokenMutationDocument, type TokenMutation } from '../../core/contract/token.ts';
import { SENDABLE } from '../../core/sendable-secret.ts';
import { isJsonObject, plainJson } from '../../core/values/plain-json.ts';
import type { PlatformAnswer } from '../push/ports/platform.ts';
import { gatewayIn, seenRefusal } from '../push/ports/seen-answer.ts';
import type { Timing } from '../push/ports/timing.ts';
import type { Redaction } from './redaction.ts';
import type { SendRequest } from './requests.ts';

/** A token, or the reason why none can be obtained right now, with the headers of the answer. */
export type TokenResult =
  | ObtainedToken
  | {
      readonly later: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** A token that was obtained. Two of them may have the same text, because a platform may issue a token twice. */
export interface ObtainedToken {
  readonly token: string;
  /** How long it is valid, in milliseconds, where the answer says so; otherwise the token itself may. */
  readonly lifeMs?: number;
  /** The database that the answer with it named; see `databaseNamedIn`. */
  readonly database?: string | null;
}

/** The parts of an answer of the token mutation, or of an authorisation server, that we use. */
const tokenAnswer = z.looseObject({
  data: z.nullish(z.record(z.string(), z.nullable(z.looseObject({ token: z.string() })))),
  errors: z.optional(z.array(z.looseObject({ message: z.optional(z.string()) }))),
  access_token: z.optional(z.string()),
  expires_in: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
  error_description: z.optional(z.unknown()),
});
type Refusal = NonNullable<z.infer<typeof tokenAnswer>['errors']>[number];

/**
 * Words and codes of an answer that gives a token later (deployments.md, "Responses"). They decide only that we wait and ask again within
 * the time that the run has.
 */
const THROTTLED = /too[ _-]?many[ _-]?requests|throttl|rate[ _-]?limit|slow_down|temporarily_unavailable/i;
const USED_UP =
  /allowance|quota|(?:limit|points)[^"]{0,40}(?:exceed|reached)|exceed[^"]{0,40}(?:limit|points)/i;

/** An authorisation server of the operator, and who asks it for tokens (RFC 6749, 4.4). The API key is the secret of the client. */
export interface OAuthClient {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly scope: string | undefined;
}

/**
 * Reads the token from an answer. GraphQL answers 200 also when it refuses (deployments.md, "Getting a token"). A failure that may pass
 * with time is returned as the reason. `hide` removes secrets from the platform's words.
 * @throws AppError `credentials_refused` when asking again cannot help
 */
export function readToken(
  answer: PlatformAnswer,
  way: TokenMutation | OAuthClient,
  hide: (text: string) => string,
): TokenResult {
  if (answer.kind !== 'answer') return { later: `no token: ${answer.reason}` };
  const { status, headers, body } = answer;
  const isOAuth = 'tokenUrl' in way;
  const path = isOAuth ? way.tokenUrl : way.path;
  const later = (words: string): TokenResult => ({ later: `no token: ${words}`, headers });
  if (retryOfStatus(status) === 'wait') return later(`${path} answered with status ${status}`);
  const json = plainJson(body);
  if (json === undefined && /^\s*\{/.test(body)) return later(`the answer of ${path} ends early`);
  const said = tokenAnswer.safeParse(json).data ?? {};
  const ofOAuth = [said.error, said.error_description].filter((part) => typeof part === 'string');
  const refusals: readonly Refusal[] = !isOAuth
    ? (said.errors ?? [])
    : ofOAuth.length > 0
      ? [{ message: ofOAuth.join(': ') }]
      : [];
  const all = JSON.stringify(refusals);
  if (THROTTLED.test(all)) return later(`${path} answered that there were too many requests`);
  if (USED_UP.test(all))
    return later(
      `${path} answered that the allowance is used up: it comes back by the hour, or the operator's administrator has to restore it`,
    );
  const [refusal] = refusals;
  const reason = hide(refusal?.message ?? 'it gave no reason');
  if (refusal && !isOAuth && isAboutQuery(refusal, way.mutation))
    throw new AppError('credentials_refused', {
      what: NO_TOKEN,
      reason: `the platform does not know the mutation \`${way.mutation}\` with the input field \`${way.inputField}\`: ${reason}`,
      todo: 'Set tokenMutation (DATAIMPORT_TOKEN_MUTATION) and tokenInputField to the names that the operator uses. The API key was not looked at.',
    });
  if (refusal) throw refused(reason);
  const isFree = (text: string): boolean => hide(text) === text;
  const seen = `${path} answered with ${seenRefusal(answer, isFree)}`;
  if (status === 401 || status === 403) {
    const gateway = gatewayIn(answer, isFree);
    if (gateway === undefined) throw refused(seen);
    throw new AppError('credentials_gateway_refused', { reason: `${path} answered with ${gateway}` });
  }
  const token = isOAuth
    ? said.access_token
    : Object.values(said.data ?? {}).find((result) => result !== null)?.token;
  // Something else than the platform answers, or another part of it, so the key cannot be the cause.
  if (status !== 200 || token === undefined)
    throw new AppError('credentials_refused', {
      what: NO_TOKEN,
      reason: status === 200 ? `${seen}, which contains no token` : seen,
      todo: 'Check --base-url first; then tokenPath and tokenMutation, or tokenUrl, with the operator.',
    });
  if (!SENDABLE.test(token)) throw refused('the token has characters that a header cannot contain');
  const seconds = isOAuth ? /^\d{1,9}/.exec(String(said.expires_in))?.[0] : undefined;
  const life = seconds === undefined ? {} : { lifeMs: Number.parseInt(seconds, 10) * 1_000 };
  return { token, ...life, database: databaseNamedIn(headers) };
}

/**
 * Whether an error is about the query, so that the key was never looked at: it has no path of a result and no code of the platform,
 * and it names a place in the query or the mutation itself (GraphQL, "Errors").
 */
function isAboutQuery({ path, locations, extensions, message = '' }: Refusal, mutation: string): boolean {
  const isOfPlatform = isJsonObject(extensions) && ('errorCode' in extensions || 'errorType' in extensions);
  return path === undefined && !isOfPlatform && (locations !== undefined || message.includes(mutation));
}

const refused = (reason: string): AppError => new AppError('credentials_refused', { reason });

const NO_TOKEN = 'no token can be obtained';

/** When a token expires, in milliseconds since 1970; undefined when it is no JWT or does not say. */
export function expiryOf(token: string): number | undefined {
  const payload = token.split('.')[1];
  if (payload === undefined) return undefined;
  const claims = plainJson(Buffer.from(payload, 'base64url').toString('utf8'));
  return isJsonObject(claims) && typeof claims['exp'] === 'number' ? claims['exp'] * 1_000 : undefined;
}

/** When a token expires that was obtained just now, in milliseconds since 1970; undefined when nothing says so. */
export function endOf({ token, lifeMs }: ObtainedToken, nowMs: number): number | undefined {
  return lifeMs === undefined ? expiryOf(token) : nowMs + lifeMs;
}

/** How tokens are obtained for a key. */
export interface TokenRequest {
  /** Reads the API key. Called once, when the first token is needed. */
  readonly apiKey: () => Promise<string>;
  readonly way: TokenMutation | OAuthClient;
  /** Sends to the platform, or to the authorisation server. */
  readonly send: SendRequest;
  readonly redaction: Redaction;
}

/** Obtains a token with each call. @throws AppError as `readToken`, and whatever `apiKey` throws */
export function tokenRequest(request: TokenRequest): () => Promise<TokenResult> {
  const { apiKey, way, send, redaction } = request;
  let key: Promise<string> | undefined;
  const ask = (secret: string): Promise<PlatformAnswer> => {
    if (!('tokenUrl' in way)) {
      const query = tokenMutationDocument(way.mutation);
      const body = JSON.stringify({ query, variables: { input: { [way.inputField]: secret } } });
      return send({ method: 'POST', path: way.path, body }, null);
    }
    const { clientId, scope, tokenUrl } = way;
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      ...(scope !== undefined && { scope }),
    });
    // RFC 6749, 2.3.1: both are encoded as in a form before they become a name and a password.
    const basic = Buffer.from([clientId, secret].map(encodeURIComponent).join(':')).toString('base64');
    redaction.learn(basic);
    return send({ method: 'POST', path: new URL(tokenUrl).pathname, body: String(form) }, basic);
  };
  return async () => {
    const secret = await (key ??= apiKey());
    redaction.learn(secret);
    return readToken(await ask(secret), way, redaction.hideParts);
  };
}

export interface TokenSource {
  /** The token to send now. Obtains the first token, and a new one shortly before the current one expires. */
  current(): Promise<TokenResult>;
  /** A token in place of a rejected one. @throws AppError `credentials_refused` when there can be no other */
  insteadOf(rejected: ObtainedToken): Promise<TokenResult>;
  /** Forgets a rejected token. The next request obtains another one. @throws AppError as `insteadOf` */
  drop(rejected: ObtainedToken): void;
}

/** A token that the user gave. It cannot be renewed, so nothing more can be sent once it is rejected. */
export function givenToken(token: string): TokenSource {
  const given = { token };
  const end = (): never => {
    throw new NotSentError('credentials_refused', {
      reason: 'DATAIMPORT_TOKEN is unknown or has expired',
      todo: 'Set a new one, or unset DATAIMPORT_TOKEN: while it is set, no API key is looked at.',
      status: 401,
    });
  };
  return { current: async () => given, insteadOf: async () => end(), drop: end };
}

/** How long before its expiry a token is renewed. A token with less than twice this lifetime is renewed at half of it. */
const RENEW_BEFORE_MS = 60_000;

/**
 * Tokens that are obtained for a key. However many requests need a token at the same time, one request for a token is in
 * flight. When `obtain` throws, because the key is rejected, every waiting request fails with that error.
 */
export function renewedTokens(
  obtain: () => Promise<TokenResult>,
  timing: Pick<Timing, 'nowMs'>,
): TokenSource {
  let current: (Lifetime & { obtained: ObtainedToken }) | undefined;
  let inFlight: Promise<TokenResult> | undefined;

  const renew = (): Promise<TokenResult> => {
    inFlight ??= obtain()
      .then((result) => {
        if ('token' in result) current = { obtained: result, ...lifetimeOf(result, timing.nowMs()) };
        return result;
      })
      .finally(() => (inFlight = undefined));
    return inFlight;
  };

  return {
    async current() {
      if (!current) return renew();
      const now = timing.nowMs();
      if (now < current.renewAtMs) return current.obtained;
      const before = current;
      const result = await renew();
      // While the old token is valid, failing to renew it early does no harm.
      return 'later' in result && now < before.endsAtMs ? before.obtained : result;
    },
    async insteadOf(rejected) {
      // Another request may have renewed the token already.
      return current && current.obtained !== rejected ? current.obtained : renew();
    },
    drop(rejected) {
      if (current?.obtained === rejected) current = undefined;
    },
  };
}

type Lifetime = { readonly renewAtMs: number; readonly endsAtMs: number };

/** When to renew a token and when it expires; never, when it does not say or this clock contradicts the platform's. */
function lifetimeOf(obtained: ObtainedToken, nowMs: number): Lifetime {
  const endsAtMs = endOf(obtained, nowMs);
  if (endsAtMs === undefined || endsAtMs <= nowMs) return { renewAtMs: Infinity, endsAtMs: Infinity };
  const lifetimeMs = endsAtMs - nowMs;
  return { renewAtMs: nowMs + Math.max(lifetimeMs - RENEW_BEFORE_MS, lifetimeMs / 2), endsAtMs };
}
