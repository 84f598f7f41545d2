import { AppError } from '../../core/app-error.ts';
import type { Timing } from '../push/ports/timing.ts';
import { expiryOf, type TokenResult } from './token-answer.ts';

/** Where the tokens of all requests come from. */
export interface TokenSource {
  /** The token to send now; obtains the first one, and a new one shortly before the last one ends. */
  current(): Promise<TokenResult>;
  /** A token in place of one that was answered with 401. @throws AppError `credentials_token_refused` when there can be no other */
  insteadOf(refused: string): Promise<TokenResult>;
  /** A token was answered with 401 and is not to be sent again; another one is obtained when it is needed. */
  drop(refused: string): void;
}

/** A token that was given ready-made and cannot be renewed: when it is refused, nothing more can be sent. */
export function givenToken(token: string): TokenSource {
  return {
    current: async () => ({ token }),
    insteadOf: async () => {
      throw new AppError('credentials_token_refused', { status: 401 });
    },
    // It is all there is; the next request tells.
    drop: () => undefined,
  };
}

/** A token is renewed this long before it ends, or in the second half of a life that is shorter than twice that. */
const RENEW_BEFORE_MS = 60_000;

/**
 * Tokens that are obtained for a key. However many requests ask at the same time, one request for a token is under
 * way. `obtain` throws when the key is refused; then every waiting request fails with it.
 */
export function renewedTokens(
  obtain: () => Promise<TokenResult>,
  timing: Pick<Timing, 'nowMs'>,
): TokenSource {
  let held: { readonly token: string; readonly renewAtMs: number; readonly endsAtMs: number } | undefined;
  let underWay: Promise<TokenResult> | undefined;

  const renew = (): Promise<TokenResult> => {
    underWay ??= obtain()
      .then((result) => {
        if ('token' in result) held = { ...result, ...lifeOf(result.token, timing.nowMs()) };
        return result;
      })
      .finally(() => (underWay = undefined));
    return underWay;
  };

  return {
    async current() {
      if (!held) return renew();
      const now = timing.nowMs();
      if (now < held.renewAtMs) return { token: held.token };
      const result = await renew();
      // Early renewal is a courtesy: while the old token lives, a failure to get another is no failure.
      return 'later' in result && now < held.endsAtMs ? { token: held.token } : result;
    },
    async insteadOf(refused) {
      // Another request has been answered with 401 before, and the token was renewed since.
      return held && held.token !== refused ? { token: held.token } : renew();
    },
    drop(refused) {
      if (held?.token === refused) held = undefined;
    },
  };
}

/** When to renew a token and when it ends; never, when it does not say or this clock disagrees with the platform's. */
function lifeOf(token: string, nowMs: number): { renewAtMs: number; endsAtMs: number } {
  const endsAtMs = expiryOf(token);
  if (endsAtMs === undefined || endsAtMs <= nowMs) return { renewAtMs: Infinity, endsAtMs: Infinity };
  const lifeMs = endsAtMs - nowMs;
  return { renewAtMs: nowMs + Math.max(lifeMs - RENEW_BEFORE_MS, lifeMs / 2), endsAtMs };
}
