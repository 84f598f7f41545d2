import { httpDateMs } from '../../core/values/http-date.ts';

/** First ceiling of the wait between two attempts, in milliseconds; it doubles with every attempt. */
const BASE_MS = 250;

/** Highest ceiling of that wait, in milliseconds. */
const CEILING_MS = 20_000;

/** Longest wait that the platform may ask for, in milliseconds. A longer one ends the run as unfinished. */
const LONGEST_ASKED_MS = 600_000;

/** Everything that the decision about another attempt depends on. */
export interface RetryState {
  /** Attempts made so far, at least 1. */
  readonly attempts: number;
  /** Since the first attempt of this batch in this process, in milliseconds. */
  readonly elapsedMs: number;
  /** How long a batch may keep failing, in milliseconds (`--retry-for`). */
  readonly retryForMs: number;
  /** The wait that the platform asked for with Retry-After, in milliseconds. The client never waits shorter. */
  readonly retryAfterMs: number;
  /** From 0 up to but not including 1. */
  readonly random: number;
}

/** `give_up`: the time would be over. `asked_too_long`: the platform asks for a longer wait than a run makes. */
export type RetryDecision =
  | { readonly kind: 'wait'; readonly waitMs: number }
  | { readonly kind: 'give_up' }
  | { readonly kind: 'asked_too_long' };

/**
 * Full jitter, limited by time and not by count. A wait that would end after the time is shortened to it, so that the last
 * attempt is made at its end, but never shorter than the platform asks for.
 */
export function decideRetry(state: RetryState): RetryDecision {
  const restMs = state.retryForMs - state.elapsedMs;
  if (isTooLongToWait(state.retryAfterMs)) return { kind: 'asked_too_long' };
  if (restMs <= 0 || state.retryAfterMs > restMs) return { kind: 'give_up' };
  const waitMs = Math.max(state.retryAfterMs, jitterMs(state.attempts, state.random));
  return { kind: 'wait', waitMs: Math.min(waitMs, restMs) };
}

/** Whether the platform asks for a longer wait than a run makes. */
export const isTooLongToWait = (askedMs: number): boolean => askedMs > LONGEST_ASKED_MS;

/** The wait after a number of failures, in milliseconds: `random` spreads it over the whole span. */
export function jitterMs(failures: number, random: number): number {
  return Math.floor(random * Math.min(CEILING_MS, BASE_MS * 2 ** (failures - 1)));
}

/** Longest wait that a platform can mean, in milliseconds: a maintenance of a day. */
const LONGEST_MEANT_MS = 86_400_000;

/** Whether a wait that the platform asks for is longer than it can mean, as after a mistake in its units. */
export const isTooLongToMean = (askedMs: number): boolean => askedMs > LONGEST_MEANT_MS;

/** Any larger number is too long as well, and would be shown as an exponent. */
const MOST_SECONDS = 999_999_999;

/**
 * The wait that an answer asks for, in milliseconds; 0 when it asks for none or cannot be read. A date is compared with the
 * answer's own `Date`, because clocks differ (RFC 9110, 10.2.3).
 */
export function retryAfterMs(headers: Readonly<Record<string, string>> = {}): number {
  const asked = headers['retry-after']?.trim();
  if (asked === undefined) return 0;
  if (/^\d+$/.test(asked)) return Math.min(Number.parseInt(asked, 10), MOST_SECONDS) * 1000;
  const until = httpDateMs(asked);
  const now = httpDateMs(headers['date'] ?? '');
  return until === undefined || now === undefined ? 0 : Math.max(0, until - now);
}
