import { refusal, type Answer } from '../http/answer.ts';
import type { ServerPace } from '../options/server-options.ts';

/** Counts a request to an endpoint. The refusal (429) when there were too many; undefined when it may go on. */
export type RateLimit = (endpoint: string | undefined) => Answer | undefined;

export function rateLimitOf(limits: NonNullable<ServerPace['limits']>, nowMs: () => number): RateLimit {
  const counts = limits.map((limit) => ({ ...limit, taken: [] as readonly number[] }));
  return (endpoint) => {
    const own = counts.find(({ endpoints }) => endpoints.some((each) => each === endpoint));
    if (!own) return undefined;
    const now = nowMs();
    const { requests, withinMs, retryAfterS } = own;
    own.taken = own.taken.filter((time) => time > now - withinMs && time <= now);
    if (own.taken.length < requests) {
      own.taken = [...own.taken, now];
      return undefined;
    }
    const headers = retryAfterS === null ? {} : { 'retry-after': String(retryAfterS) };
    return { ...refusal('throttled'), headers };
  };
}
