import { refusal, type Answer } from '../http/answer.ts';
import type { ServerPace } from '../options/server-options.ts';

/** Answers 429 to requests above a limit. */
export interface RateLimit {
  /** Counts a request. The refusal when there were too many; undefined when it may go on. */
  enter(): Answer | undefined;
}

export function rateLimitOf(
  { requests, withinMs, retryAfterS }: NonNullable<ServerPace['limit']>,
  nowMs: () => number,
): RateLimit {
  let taken: number[] = [];
  return {
    enter() {
      const now = nowMs();
      taken = taken.filter((time) => time > now - withinMs && time <= now);
      if (taken.length < requests) return void taken.push(now);
      const headers = retryAfterS === null ? {} : { 'retry-after': String(retryAfterS) };
      return { ...refusal('throttled'), headers };
    },
  };
}
