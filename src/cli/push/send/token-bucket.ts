/** A rate of requests (`--rate-limit`). */
export interface Rate {
  readonly requests: number;
  /** The span that the requests may be spread over, in milliseconds. */
  readonly perMs: number;
}

/** The part of a rate that each of `count` processes may use. */
export function shareOfRate({ requests, perMs }: Rate, count: number): Rate {
  return { requests, perMs: perMs * count };
}

/** The requests that may be sent at once. It starts full and refills at the rate. */
export interface TokenBucket {
  readonly tokens: number;
  /** When it had so many tokens, by the monotonic clock. */
  readonly atMs: number;
}

/** A full bucket has the requests of 0.1 s: enough to make up for a late timer, too few for a burst. */
const FULL_SECONDS = 0.1;

/** The bucket at the start of a run. */
export function fullBucket(rate: Rate, nowMs: number): TokenBucket {
  return { tokens: capacityOf(rate), atMs: nowMs };
}

/** How long until a token can be taken, in milliseconds; 0 when one can be taken now. */
export function waitForToken(bucket: TokenBucket, rate: Rate, nowMs: number): number {
  const missing = 1 - tokensAt(bucket, rate, nowMs);
  return missing <= 0 ? 0 : Math.ceil((missing * rate.perMs) / rate.requests);
}

/** The bucket after a token was taken, or given back with -1. */
export function withTokens(
  bucket: TokenBucket,
  rate: Rate,
  change: { taken: number; nowMs: number },
): TokenBucket {
  return { tokens: tokensAt(bucket, rate, change.nowMs) - change.taken, atMs: change.nowMs };
}

function tokensAt({ tokens, atMs }: TokenBucket, rate: Rate, nowMs: number): number {
  return Math.min(capacityOf(rate), tokens + ((nowMs - atMs) * rate.requests) / rate.perMs);
}

function capacityOf({ requests, perMs }: Rate): number {
  return Math.max(1, (requests / perMs) * 1_000 * FULL_SECONDS);
}
