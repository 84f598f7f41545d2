import { httpDateMs } from '../../core/values/http-date.ts';

/** Every wait of a command that sends, and why it is as long. All times are in milliseconds. */

/** Between two attempts at a request: it doubles with each failure, and many clients do not come back together. */
const ATTEMPT = { first: 250, longest: 20_000 };

/** A platform that has never answered is tried so long: long enough for a proxy that starts, and short for a wrong address. */
export const CONNECT_MS = 10_000;

/** The last trial of such a platform has at least this time. */
export const LAST_TRIAL_MS = 1_000;

/** So often the same request gets an answer that proves nothing. The last attempt waits longer, in case something is put right. */
export const UNPROVEN = { most: 3, lastMs: 10_000 };

/** Before the next token, after one and after two new tokens in a row were refused: it may take a moment until a token counts everywhere. */
export const TOKEN_MS = [1_000, 9_000];

/** A pause of an outage begins as after three failures, because ten failures at once prove no more than three. */
export const FAILURES_AT_FIRST_PROBE = 3;

/** A late request may make up for this time of the rate. Timers are late, and a longer time would allow a burst. */
export const CATCH_UP_MS = 100;

/** Between two rounds of questions about accounts: each wait is half as long again, because an import takes minutes or hours. */
export const ACCOUNTS = { first: 2_000, longest: 60_000 };

/** The wait after a number of failures: `random`, from 0 up to but not including 1, spreads it over the whole span. */
export function jitterMs(failures: number, random: number): number {
  return Math.floor(random * Math.min(ATTEMPT.longest, ATTEMPT.first * 2 ** (failures - 1)));
}

/**
 * The wait before the next attempt; undefined when its time would be over. `failures`: at least 1. `leftMs`: how much longer a request may
 * keep failing (`--retry-for`), so that the last attempt is made at its end. `askedMs`: as the platform asks; it is never shortened.
 */
export function nextWaitMs(
  failures: number,
  random: number,
  { leftMs, askedMs = 0 }: { leftMs: number; askedMs?: number },
): number | undefined {
  if (leftMs <= 0 || askedMs > leftMs) return undefined;
  return Math.min(Math.max(askedMs, jitterMs(failures, random)), leftMs);
}

/** Any larger number is too long as well, and would be shown as an exponent. */
const MOST_SECONDS = 999_999_999;

/**
 * The wait that an answer asks for; 0 when it asks for none or cannot be read. A date is compared with the answer's own `Date`, because
 * clocks differ (RFC 9110, 10.2.3).
 */
export function retryAfterMs(headers: Readonly<Record<string, string>> = {}): number {
  const asked = headers['retry-after']?.trim();
  if (asked === undefined) return 0;
  if (/^\d+$/.test(asked)) return Math.min(Number.parseInt(asked, 10), MOST_SECONDS) * 1000;
  const until = httpDateMs(asked);
  const now = httpDateMs(headers['date'] ?? '');
  return until === undefined || now === undefined ? 0 : Math.max(0, until - now);
}
