import * as z from 'zod/mini';
import { AppError } from '../../core/app-error.ts';
import { SENDABLE } from '../../core/sendable-secret.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import type { PlatformAnswer } from '../push/ports/platform.ts';

/** A token, or the reason why there is none right now, with the headers of the answer that says so. */
export type TokenResult =
  | { readonly token: string }
  | { readonly later: string; readonly headers?: Readonly<Record<string, string>> };

/** What a good answer of the token mutation holds, for us; the rest is not used. */
const tokenAnswer = z.looseObject({
  data: z.nullish(z.record(z.string(), z.nullable(z.looseObject({ token: z.string() })))),
  errors: z.optional(z.array(z.looseObject({ message: z.optional(z.string()) }))),
});

/**
 * Reads the token out of an answer of the token mutation. GraphQL answers 200 also when it refuses
 * (deployments.md, "Getting a token"). An answer that may pass with time comes back as the reason why there is no
 * token now. `hide` takes secrets out of what the platform says.
 * @throws AppError `credentials_refused`, `credentials_unobtainable` when asking again cannot help
 */
export function readToken(answer: PlatformAnswer, path: string, hide: (text: string) => string): TokenResult {
  if (answer.kind !== 'answer') return { later: `no token: ${answer.reason}` };
  const { status } = answer;
  if (status === 408 || status === 429 || status >= 500)
    return { later: `no token: ${path} answered with status ${status}`, headers: answer.headers };
  const parsed = tokenAnswer.safeParse(plainJson(answer.body));
  const refusal = parsed.data?.errors?.[0];
  if (refusal) throw refused(hide(refusal.message ?? 'it gave no reason'));
  if (status === 401 || status === 403) throw refused(`${path} answered with status ${status}`);
  if (status !== 200) throw unobtainable(`${path} answered with status ${status}`);
  const token = Object.values(parsed.data?.data ?? {}).find((result) => result !== null)?.token;
  if (token === undefined) throw unobtainable(`the answer of ${path} holds no token`);
  if (!SENDABLE.test(token)) throw refused('the token has characters that cannot stand in a header');
  return { token };
}

const jwtPayload = z.looseObject({ exp: z.number() });

/** When a token ends, in milliseconds since 1970; undefined when it is no JWT or does not say. */
export function expiryOf(token: string): number | undefined {
  const payload = token.split('.')[1];
  if (payload === undefined) return undefined;
  const parsed = jwtPayload.safeParse(plainJson(Buffer.from(payload, 'base64url').toString('utf8')));
  return parsed.success ? parsed.data.exp * 1_000 : undefined;
}

function refused(reason: string): AppError {
  return new AppError('credentials_refused', { reason });
}

/** What answers is no platform, or not this part of it; a key cannot be the reason. */
function unobtainable(reason: string): AppError {
  return new AppError('credentials_unobtainable', { reason });
}
