/** First ceiling of the wait between two attempts, in milliseconds; it doubles with every attempt. */
const BASE_MS = 250;

/** Highest ceiling of that wait, in milliseconds. */
const CEILING_MS = 20_000;

/** What a decision rests on. */
export interface RetryState {
  /** Attempts made so far, at least 1. */
  readonly attempts: number;
  /** Since the first attempt of this batch in this process, in milliseconds. */
  readonly elapsedMs: number;
  /** How long a batch may keep failing, in milliseconds (`--retry-for`). */
  readonly retryForMs: number;
  /** What the platform asked for with Retry-After, in milliseconds; a floor that is never shortened. */
  readonly retryAfterMs: number;
  /** From 0 up to but not including 1. */
  readonly random: number;
}

/** Wait so long and try again, or give up because the time would be over. */
export type RetryDecision = { readonly kind: 'wait'; readonly waitMs: number } | { readonly kind: 'give_up' };

/**
 * Full jitter, bounded by time and not by count (reliability.md, "Retry"). A wait that would end after the time is cut
 * to it, so that the last attempt is made at its end; but never to less than the platform asks for.
 */
export function decideRetry(state: RetryState): RetryDecision {
  const ceiling = Math.min(CEILING_MS, BASE_MS * 2 ** (state.attempts - 1));
  const restMs = state.retryForMs - state.elapsedMs;
  if (restMs <= 0 || state.retryAfterMs > restMs) return { kind: 'give_up' };
  const waitMs = Math.max(state.retryAfterMs, Math.floor(state.random * ceiling));
  return { kind: 'wait', waitMs: Math.min(waitMs, restMs) };
}
