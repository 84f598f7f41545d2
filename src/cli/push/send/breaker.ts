import { jitterMs } from '../retry.ts';

/**
 * A circuit breaker: while the platform is down, one request at a time probes whether it is back.
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

/** How many answers are remembered, and how many there must be before the breaker may open. */
const REMEMBERED = 20;
const AT_LEAST = 10;

/** Share of the remembered answers that must have failed. */
const FAILED_SHARE = 0.8;

/** The first probe waits as long as an attempt after three failures. Ten failures at once prove no more than three. */
const FAILURES_AT_OPENING = 3;

/** One answer, as the breaker needs it. */
export interface AnswerMark {
  readonly failed: boolean;
  readonly isProbe: boolean;
  readonly nowMs: number;
  /** From 0 up to but not including 1. */
  readonly random: number;
  /** A failure that alone proves an outage: how long the next probe waits at least, in milliseconds. Default: it proves none. */
  readonly probeInMs?: number | undefined;
}

export const CLOSED: Breaker = { last: [] };

/** The breaker after an answer. */
export function afterAnswer(breaker: Breaker, mark: AnswerMark): Breaker {
  const { open } = breaker;
  const { failed, isProbe, probeInMs } = mark;
  if (open) {
    if (!failed) return CLOSED;
    // A request that was in flight when the breaker opened proves nothing new.
    if (!isProbe) return breaker;
    return opened(open.failedProbes + 1, mark);
  }
  const last = [...breaker.last, failed].slice(-REMEMBERED);
  const failures = last.filter(Boolean).length;
  const isDown = last.length >= AT_LEAST && failures >= last.length * FAILED_SHARE;
  return isDown || probeInMs !== undefined ? opened(0, mark) : { last };
}

/** The breaker while its probe is in flight, or, with `false`, after a probe that was not sent after all. */
export function probing(breaker: Breaker, isProbing: boolean): Breaker {
  return breaker.open ? { last: [], open: { ...breaker.open, isProbing } } : breaker;
}

function opened(failedProbes: number, { nowMs, random, probeInMs = 0 }: AnswerMark): Breaker {
  const probeAtMs = nowMs + Math.max(probeInMs, jitterMs(FAILURES_AT_OPENING + failedProbes, random));
  return { last: [], open: { failedProbes, probeAtMs, isProbing: false } };
}
