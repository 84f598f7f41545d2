import { jitterMs } from './backoff.ts';

/**
 * Keeps a platform that is down from being asked by everybody (reliability.md, "Retry").
 *
 *     closed ──most of the last answers failed──▶ open ──a good answer──▶ closed
 *                                                 │ ▲
 *                                    probe begins │ │ probe fails: wait longer
 *                                                 ▼ │
 *                                                probing: one request, no other
 */
export interface Breaker {
  /** Whether each of the last answers failed, the oldest first; empty while open. */
  readonly last: readonly boolean[];
  /** Undefined while closed. */
  readonly open?: {
    readonly failedProbes: number;
    /** When the next probe may begin, by the monotonic clock. */
    readonly probeAtMs: number;
    readonly isProbing: boolean;
  };
}

/** Answers that are remembered, and how many there must be before anything is made of them. */
const REMEMBERED = 20;
const AT_LEAST = 10;

/** Share of them that must have failed. */
const FAILED_SHARE = 0.8;

/** The first probe waits as another attempt does after so many failures; ten of them at once tell no more than a few. */
const FAILURES_AT_OPENING = 3;

/** What one answer tells. */
export interface AnswerMark {
  readonly failed: boolean;
  readonly isProbe: boolean;
  readonly nowMs: number;
  /** From 0 up to but not including 1. */
  readonly random: number;
}

export const CLOSED: Breaker = { last: [] };

/** What an answer makes of the breaker. */
export function afterAnswer(breaker: Breaker, { failed, isProbe, nowMs, random }: AnswerMark): Breaker {
  const { open } = breaker;
  if (open) {
    if (!failed) return CLOSED;
    // A request that was in flight when it opened tells nothing new.
    if (!isProbe) return breaker;
    return opened(open.failedProbes + 1, nowMs, random);
  }
  const last = [...breaker.last, failed].slice(-REMEMBERED);
  const failures = last.filter(Boolean).length;
  const isDown = last.length >= AT_LEAST && failures >= last.length * FAILED_SHARE;
  return isDown ? opened(0, nowMs, random) : { last };
}

/** The breaker with its probe under way. */
export function probing(breaker: Breaker): Breaker {
  return breaker.open ? { last: [], open: { ...breaker.open, isProbing: true } } : breaker;
}

/** The breaker after a probe that was not made after all. */
export function unprobed(breaker: Breaker): Breaker {
  return breaker.open ? { last: [], open: { ...breaker.open, isProbing: false } } : breaker;
}

function opened(failedProbes: number, nowMs: number, random: number): Breaker {
  const probeAtMs = nowMs + jitterMs(FAILURES_AT_OPENING + failedProbes, random);
  return { last: [], open: { failedProbes, probeAtMs, isProbing: false } };
}
