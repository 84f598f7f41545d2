/** First ceiling of the wait between two attempts, in milliseconds; it doubles with every attempt. */
const BASE_MS = 250;

/** Highest ceiling of that wait, in milliseconds. */
const CEILING_MS = 20_000;

/** Longest wait that the platform may ask for, in milliseconds; a longer one ends the run (reliability.md, "Retry"). */
const LONGEST_ASKED_MS = 600_000;

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

/** Wait so long and try again, or give up: because the time would be over, or because too long a wait is asked for. */
export type RetryDecision =
  | { readonly kind: 'wait'; readonly waitMs: number }
  | { readonly kind: 'give_up' }
  | { readonly kind: 'asked_too_long' };

/**
 * Full jitter, bounded by time and not by count (reliability.md, "Retry"). A wait that would end after the time is cut
 * to it, so that the last attempt is made at its end; but never to less than the platform asks for.
 */
export function decideRetry(state: RetryState): RetryDecision {
  const restMs = state.retryForMs - state.elapsedMs;
  if (isTooLongToWait(state.retryAfterMs)) return { kind: 'asked_too_long' };
  if (restMs <= 0 || state.retryAfterMs > restMs) return { kind: 'give_up' };
  const waitMs = Math.max(state.retryAfterMs, jitterMs(state.attempts, state.random));
  return { kind: 'wait', waitMs: Math.min(waitMs, restMs) };
}

/** Whether the platform asks for a longer wait than a run makes. */
export function isTooLongToWait(askedMs: number): boolean {
  return askedMs > LONGEST_ASKED_MS;
}

/** A wait after so many failures, spread over the whole span by `random`, in milliseconds. */
export function jitterMs(failures: number, random: number): number {
  return Math.floor(random * Math.min(CEILING_MS, BASE_MS * 2 ** (failures - 1)));
}
