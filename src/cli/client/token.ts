import * as z from 'zod/mini';
import { AppError, NotSentError } from '../../core/app-error.ts';
import { databaseNamedIn } from '../../core/contract/database-identity.ts';
import { retryOfStatus } from '../../core/contract/retry.ts';
import { tokenMutationDocument, type TokenMutation } from '../../core/contract/token.ts';
import { SENDABLE } from '../../core/sendable-secret.ts';
import { isJsonObject, plainJson } from '../../core/values/plain-json.ts';
import type { PlatformAnswer } from '../push/ports/platform.ts';
import { gatewayIn, seenAnswer, seenRefusal } from '../push/ports/seen-answer.ts';
import type { Timing } from '../push/ports/timing.ts';
import type { Redaction } from './redaction.ts';
import type { SendRequest } from './requests.ts';

/** A token, or the reason why none can be obtained right now, with the headers of the answer. */
export type TokenResult =
  | ObtainedToken
  | {
      readonly later: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Whether this machine could open no connection. */
      readonly isLocal?: boolean;
      /** Whether the other side began with an informational answer. */
      readonly isInformational?: boolean;
    };

/** A token that was obtained. Two of them may have the same text, because a platform may issue a token twice. */
export interface ObtainedToken {
  readonly token: string;
  /** The database that the answer with it named; see `databaseNamedIn`. */
  readonly database?: string | null;
}

/** The parts of a good answer of the token mutation that we use. */
const tokenAnswer = z.looseObject({
  data: z.nullish(z.record(z.string(), z.nullable(z.looseObject({ token: z.string() })))),
  errors: z.optional(
    z.array(
      z.looseObject({
        message: z.optional(z.string()),
        path: z.optional(z.unknown()),
        locations: z.optional(z.unknown()),
        extensions: z.optional(z.unknown()),
      }),
    ),
  ),
});

/**
 * Words and codes of an answer to too many requests (deployments.md, "Responses"). They decide only that we wait and ask again
 * within the time that the run has.
 */
const THROTTLED = /too[ _-]?many[ _-]?requests|throttl|rate[ _-]?limit/i;

/**
 * Reads the token from an answer of the token mutation. GraphQL answers 200 also when it refuses (deployments.md, "Getting a
 * token"). A failure that may pass with time is returned as the reason. `hide` removes secrets from the platform's words.
 * @throws AppError `credentials_refused`, `credentials_unobtainable`, `token_mutation_unknown` when asking again cannot help
 */
export function readToken(
  answer: PlatformAnswer,
  { path, mutation, inputField }: TokenMutation,
  hide: (text: string) => string,
): TokenResult {
  if (answer.kind !== 'answer')
    return {
      later: `no token: ${answer.reason}`,
      ...(answer.isLocal && { isLocal: true }),
      ...(answer.isInformational && { isInformational: true }),
    };
  const { status } = answer;
  if (retryOfStatus(status) === 'wait')
    return { later: `no token: ${path} answered with status ${status}`, headers: answer.headers };
  const json = plainJson(answer.body);
  if (json === undefined && /^\s*\{/.test(answer.body))
    return { later: `no token: the answer of ${path} ends early`, headers: answer.headers };
  const parsed = tokenAnswer.safeParse(json);
  const refusals = parsed.data?.errors ?? [];
  if (refusals.some((each) => THROTTLED.test(JSON.stringify(each))))
    return { later: `no token: ${path} answered that there were too many requests`, headers: answer.headers };
  const [refusal] = refusals;
  const words = hide(refusal?.message ?? 'it gave no reason');
  if (refusal && isAboutQuery(refusal, mutation))
    throw new AppError('token_mutation_unknown', { mutation, field: inputField, reason: words });
  if (refusal) throw refused(words);
  const isFree = (text: string): boolean => hide(text) === text;
  const seen = `${path} answered with ${seenRefusal(answer, isFree)}`;
  if (isPage(answer.body) && CERTIFICATE_WANTED.test(answer.body))
    throw new AppError('client_certificate_wanted', { reason: seen });
  if (status === 401 || status === 403) {
    const gateway = gatewayIn(answer, isFree);
    if (gateway === undefined) throw refused(seen);
    throw new AppError('credentials_gateway_refused', { reason: `${path} answered with ${gateway}` });
  }
  if (status !== 200) throw unobtainable(seen);
  const token = Object.values(parsed.data?.data ?? {}).find((result) => result !== null)?.token;
  if (token === undefined && answer.unreadable !== undefined)
    throw unobtainable(`the answer of ${path} cannot be read: ${answer.unreadable}`);
  if (token === undefined)
    throw unobtainable(
      `the answer of ${path} contains no token${isPage(answer.body) ? `; it got ${seenAnswer(answer, isFree)}` : ''}`,
    );
  if (!SENDABLE.test(token)) throw refused('the token has characters that a header cannot contain');
  return { token, database: databaseNamedIn(answer.headers) };
}

const isPage = (body: string): boolean => body.trim() !== '' && plainJson(body) === undefined;

/**
 * Words of nginx, Apache and IIS in a page for a client without a certificate. They decide only which advice is given: the page is no
 * answer of the platform in any case.
 */
const CERTIFICATE_WANTED = /\bSSL certificate\b|\bclient certificate\b/i;

/**
 * Whether an error is about the query, so that the key was never looked at: it has no path of a result and no code of the platform,
 * and it names a place in the query or the mutation itself (GraphQL, "Errors").
 */
function isAboutQuery(
  { path, locations, extensions, message = '' }: NonNullable<z.infer<typeof tokenAnswer>['errors']>[number],
  mutation: string,
): boolean {
  const isOfPlatform = isJsonObject(extensions) && ('errorCode' in extensions || 'errorType' in extensions);
  return path === undefined && !isOfPlatform && (locations !== undefined || message.includes(mutation));
}

const refused = (reason: string): AppError => new AppError('credentials_refused', { reason });

/** Something else than the platform answers, or another part of it, so the key cannot be the cause. */
const unobtainable = (reason: string): AppError => new AppError('credentials_unobtainable', { reason });

const jwtPayload = z.looseObject({ exp: z.number() });

/** When a token expires, in milliseconds since 1970; undefined when it is no JWT or does not say. */
export function expiryOf(token: string): number | undefined {
  const payload = token.split('.')[1];
  if (payload === undefined) return undefined;
  const parsed = jwtPayload.safeParse(plainJson(Buffer.from(payload, 'base64url').toString('utf8')));
  return parsed.success ? parsed.data.exp * 1_000 : undefined;
}

/** How tokens are obtained for a key. */
export interface TokenRequest {
  /** Reads the API key. Called once, when the first token is needed. */
  readonly apiKey: () => Promise<string>;
  readonly mutation: TokenMutation;
  readonly send: SendRequest;
  readonly redaction: Redaction;
}

/** Obtains a token with each call. @throws AppError as `readToken`, and whatever `apiKey` throws */
export function tokenRequest(request: TokenRequest): () => Promise<TokenResult> {
  const { apiKey, mutation, send, redaction } = request;
  let key: Promise<string> | undefined;
  return async () => {
    const secret = await (key ??= apiKey());
    redaction.learn(secret);
    const body = JSON.stringify({
      query: tokenMutationDocument(mutation.mutation),
      variables: { input: { [mutation.inputField]: secret } },
    });
    const answer = await send({ method: 'POST', path: mutation.path, body }, null);
    return readToken(answer, mutation, redaction.hideParts);
  };
}

export interface TokenSource {
  /** The token to send now. Obtains the first token, and a new one shortly before the current one expires. */
  current(): Promise<TokenResult>;
  /** A token in place of a rejected one. @throws AppError `credentials_token_refused` when there can be no other */
  insteadOf(rejected: ObtainedToken): Promise<TokenResult>;
  /** Forgets a rejected token. The next request obtains another one. @throws AppError as `insteadOf` */
  drop(rejected: ObtainedToken): void;
}

/** A token that the user gave. It cannot be renewed, so nothing more can be sent once it is rejected. */
export function givenToken(token: string): TokenSource {
  const given = { token };
  const end = (): never => {
    throw new NotSentError('credentials_token_refused', { status: 401 });
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
        if ('token' in result) current = { obtained: result, ...lifetimeOf(result.token, timing.nowMs()) };
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
function lifetimeOf(token: string, nowMs: number): Lifetime {
  const endsAtMs = expiryOf(token);
  if (endsAtMs === undefined || endsAtMs <= nowMs) return { renewAtMs: Infinity, endsAtMs: Infinity };
  const lifetimeMs = endsAtMs - nowMs;
  return { renewAtMs: nowMs + Math.max(lifetimeMs - RENEW_BEFORE_MS, lifetimeMs / 2), endsAtMs };
}
