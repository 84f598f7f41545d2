/** A rate of requests (`--rate-limit`). */
export interface Rate {
  readonly requests: number;
  /** The span that they may be spread over, in milliseconds. */
  readonly perMs: number;
}

/** What may be sent at once, filled up at the rate; begins full. */
export interface TokenBucket {
  readonly tokens: number;
  /** When it held so many, by the monotonic clock. */
  readonly atMs: number;
}

/** Share of a second that a bucket holds the requests of: enough to make up for a late timer, too little for a burst. */
const HELD_SECONDS = 0.1;

/** A bucket as a run begins with it. */
export function fullBucket(rate: Rate, nowMs: number): TokenBucket {
  return { tokens: capacityOf(rate), atMs: nowMs };
}

/** How long until a request may be taken, in milliseconds; 0 when one may now. */
export function waitForToken(bucket: TokenBucket, rate: Rate, nowMs: number): number {
  const missing = 1 - tokensAt(bucket, rate, nowMs);
  return missing <= 0 ? 0 : Math.ceil((missing * rate.perMs) / rate.requests);
}

/** The bucket after a request was taken, or given back. */
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
  return Math.max(1, (requests / perMs) * 1_000 * HELD_SECONDS);
}
