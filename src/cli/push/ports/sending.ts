/**
 * Why the limit is not higher. `most`: it may not grow. `slower_answers`: answers took longer. `overload`: the platform
 * refused or timed out. `end`: the run ended before the limit could grow further.
 */
export const HELD_BY = ['most', 'slower_answers', 'overload', 'end'] as const;

/** The limit at the beginning of a run, at its highest and at its end. */
export interface ConcurrencyCourse {
  readonly first: number;
  readonly highest: number;
  readonly last: number;
  readonly heldBy: (typeof HELD_BY)[number];
}

/** How fast one command sent a run. */
export interface SendingFigures {
  /** From the first claim to the last settlement, in milliseconds. */
  readonly sendingMs: number;
  /** Records that answers settled. */
  readonly records: number;
  readonly answers: number;
  /** How long requests took until their whole answer, in milliseconds; null when none was answered. At most 5 % too long. */
  readonly tookMs: { readonly p50: number; readonly p95: number; readonly p99: number } | null;
  readonly concurrency: ConcurrencyCourse;
}
