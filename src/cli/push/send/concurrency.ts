import type { ConcurrencyCourse } from '../ports/sending.ts';

/** How many requests may be in flight at once, and how that limit came about. */
export interface Concurrency {
  readonly limit: number;
  /** The limit may grow up to this. */
  readonly most: number;
  /** How long the good answers since the last decision took, in milliseconds; fewer than the limit. */
  readonly tookMs: readonly number[];
  /** The shortest median so far, in milliseconds. */
  readonly bestMs: number;
  /** Whether the limit still doubles, because neither slower answers nor an overload have stopped it. */
  readonly doubles: boolean;
  /** How often the limit was reduced. A request that began before the last reduction proves nothing about the new limit. */
  readonly reductions: number;
  readonly course: ConcurrencyCourse;
}

/** Requests in flight at the start of a run. */
const FIRST_CONCURRENCY = 16;

/** The limit may grow up to this when nobody has said otherwise. */
export const MOST_CONCURRENCY = 64;

/** Share of the limit that is left after an overload. */
const OVERLOADED = 0.7;

/** Share of the limit that is left when answers take much longer. They still come, so the reduction is small. */
const SLOWED = 0.9;

/** The limit grows while the median is at most this much longer than the best. */
const STEADY = 1.5;

/** The limit is reduced when the median is more than this much longer than the best. */
const SLOW = 2;

/** Differences below this time are chance, in milliseconds. */
const CHANCE_MS = 5;

/** The limit at the start of a run. */
export function firstConcurrency(most: number): Concurrency {
  const limit = Math.min(FIRST_CONCURRENCY, most);
  return withLimit({ most, tookMs: [], bestMs: Infinity, doubles: true, reductions: 0 }, limit, 'end', {
    first: limit,
    highest: limit,
  });
}

/**
 * After as many good answers as the limit is high, their median decides. While answers take about as long as at their best, the
 * limit doubles, so that it is found within a few answers, and once it was too high it grows by one. When they take twice as
 * long it goes back, but not below its start. Only an overload goes below that.
 */
export function afterSuccess(now: Concurrency, tookMs: number): Concurrency {
  const took = [...now.tookMs, tookMs];
  const { limit, most, course, doubles } = now;
  if (took.length < limit) return { ...now, tookMs: took };
  const median = took.toSorted((a, b) => a - b)[Math.floor((took.length - 1) / 2)]!;
  const next = { ...now, tookMs: [], bestMs: Math.min(now.bestMs, median) };
  if (median <= STEADY * next.bestMs + CHANCE_MS)
    return withLimit(next, Math.min(doubles ? limit * 2 : limit + 1, most), 'end', course);
  const slowed = { ...next, doubles: false };
  if (median <= SLOW * next.bestMs + CHANCE_MS) return withLimit(slowed, limit, 'slower_answers', course);
  const lowest = Math.min(limit, course.first);
  const reduced = doubles ? limit / 2 : limit * SLOWED;
  return withLimit(slowed, Math.max(lowest, Math.floor(reduced)), 'slower_answers', course);
}

/**
 * Reduces the limit after an answer of an overloaded platform. Requests that were in flight together reduce it once: otherwise eight of
 * them would reduce a limit of eight to one. `reductionsBefore` is how often the limit had been reduced when the request began.
 */
export function afterOverload(now: Concurrency, reductionsBefore: number): Concurrency {
  if (reductionsBefore < now.reductions) return now;
  const limit = Math.max(1, Math.floor(now.limit * OVERLOADED));
  return withLimit(
    { ...now, tookMs: [], doubles: false, reductions: now.reductions + 1 },
    limit,
    'overload',
    now.course,
  );
}

function withLimit(
  now: Omit<Concurrency, 'limit' | 'course'>,
  limit: number,
  heldBy: ConcurrencyCourse['heldBy'],
  { first, highest }: Pick<ConcurrencyCourse, 'first' | 'highest'>,
): Concurrency {
  return {
    ...now,
    limit,
    course: {
      first,
      highest: Math.max(highest, limit),
      last: limit,
      heldBy: limit === now.most ? 'most' : heldBy,
    },
  };
}
