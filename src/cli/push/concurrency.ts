/** How many requests may be in flight at once, and how that limit came about. */
export interface Concurrency {
  readonly limit: number;
  /** The limit may grow up to this (`--concurrency`). */
  readonly most: number;
  /** Good answers since the limit changed. */
  readonly successes: number;
  /** How often the limit was reduced. A request that began before the last reduction proves nothing about the new limit. */
  readonly reductions: number;
}

/** Requests in flight at the start of a run. */
const FIRST = 4;

/** Share of the limit that is left after a reduction. */
const REDUCED = 0.7;

/** The limit at the start of a run. */
export function firstConcurrency(most: number): Concurrency {
  return { limit: Math.min(FIRST, most), most, successes: 0, reductions: 0 };
}

/** The limit grows by one after as many good answers as it is high. */
export function afterSuccess(now: Concurrency): Concurrency {
  const successes = now.successes + 1;
  if (successes < now.limit || now.limit === now.most) return { ...now, successes };
  return { ...now, limit: now.limit + 1, successes: 0 };
}

/**
 * Reduces the limit after an answer of an overloaded platform. Requests that were in flight together reduce it once:
 * otherwise eight of them would reduce a limit of eight to one. `reductionsBefore` is how often the limit had been reduced
 * when the request began.
 */
export function afterOverload(now: Concurrency, reductionsBefore: number): Concurrency {
  if (reductionsBefore < now.reductions) return now;
  const limit = Math.max(1, Math.floor(now.limit * REDUCED));
  return { ...now, limit, successes: 0, reductions: now.reductions + 1 };
}
