/** How many requests may be in flight at once, and how it came to that (reliability.md, "Retry"). */
export interface Concurrency {
  readonly limit: number;
  /** What the limit may grow to (`--concurrency`). */
  readonly most: number;
  /** Good answers since the limit changed. */
  readonly successes: number;
  /** How often the limit was cut. A request that began before the last cut says nothing of the limit after it. */
  readonly cuts: number;
}

/** Requests in flight that a run begins with. */
const FIRST = 4;

/** What is left of the limit after a cut. */
const CUT = 0.7;

/** The limit that a run begins with. */
export function firstConcurrency(most: number): Concurrency {
  return { limit: Math.min(FIRST, most), most, successes: 0, cuts: 0 };
}

/** One more after as many good answers as the limit is high. */
export function afterSuccess(now: Concurrency): Concurrency {
  const successes = now.successes + 1;
  if (successes < now.limit || now.limit === now.most) return { ...now, successes };
  return { ...now, limit: now.limit + 1, successes: 0 };
}

/**
 * Fewer after an answer that says "too much". The answers of all requests that were in flight together cut once: one
 * of eight would be left after eight of them. `cutsBefore` is how often the limit had been cut when the request began.
 */
export function afterOverload(now: Concurrency, cutsBefore: number): Concurrency {
  if (cutsBefore < now.cuts) return now;
  return { ...now, limit: Math.max(1, Math.floor(now.limit * CUT)), successes: 0, cuts: now.cuts + 1 };
}
