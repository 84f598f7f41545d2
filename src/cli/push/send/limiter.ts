import { afterAnswer, CLOSED, probing, type Breaker } from './breaker.ts';
import { afterOverload, afterSuccess, firstConcurrency, type Concurrency } from './concurrency.ts';
import type { AtOnce, EventSink } from '../events.ts';
import type { ConcurrencyCourse } from '../ports/sending.ts';
import type { Timing } from '../ports/timing.ts';
import { isTooLongToWait } from '../retry.ts';
import { fullBucket, waitForToken, withTokens, type Rate, type TokenBucket } from './token-bucket.ts';

export interface LimiterLimits {
  /** Most requests in flight at once. */
  readonly concurrency: number;
  /** Undefined: no limit but the answers. */
  readonly rate?: Rate | undefined;
  /** No request begins before this time of the monotonic clock, because the platform asked to wait. Default: no such wait. */
  readonly pausedUntilMs?: number;
}

/** Permission to send one request. */
export interface Permit {
  readonly isProbe: boolean;
  /** How often the concurrency had been reduced. */
  readonly reductionsBefore: number;
}

/** The end of the request of a permit. `unused`: the request was not sent after all. */
export type PermitUse = SucceededUse | { readonly kind: 'unused' } | FailedUse;

interface SucceededUse {
  readonly kind: 'succeeded';
  /** From sending to the end of the answer, in milliseconds. */
  readonly tookMs: number;
}

interface FailedUse {
  readonly kind: 'failed';
  /** Whether fewer requests should be in flight. */
  readonly overloaded: boolean;
  /** Whether this machine could open no connection, so that the failure says nothing about the platform. Default: false. */
  readonly isLocal?: boolean;
  /** Whether an answer came that asks for no wait and proves nothing, so that the platform is not down. Default: false. */
  readonly isAnswered?: boolean;
  /** How long every request is asked to wait, in milliseconds; 0 for no wait. */
  readonly askedMs: number;
  /** See `AnswerMark`. */
  readonly probeInMs?: number | undefined;
  readonly reason: string;
}

/** `expired`: the given time was over first. `closed`: no request may begin any more. */
type Acquired = Permit | 'expired' | 'closed';

interface Waiting {
  readonly untilMs: number;
  readonly resolve: (acquired: Acquired) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Every request of a run needs a permit before its batch is claimed: not too many at once, not too fast, not while the
 * platform asks to wait, and one by one while it is down. First come, first served.
 */
export class Limiter {
  private readonly limits: LimiterLimits;
  private readonly timing: Timing;
  private readonly emit: EventSink;
  private readonly stopping: AbortSignal;
  private concurrency: Concurrency;
  /** Requests that ended well. */
  succeeded = 0;
  private breaker: Breaker = CLOSED;
  private bucket: TokenBucket | undefined;
  private inFlight = 0;
  /** When this machine could open no connection for the first time since the last answer. */
  private unconnectedFromMs: number | undefined;
  private pausedUntilMs = -Infinity;
  private waiting: Waiting[] = [];
  private alarm: { atMs: number; off: AbortController } | undefined;

  /** `stopping` aborts when no request may begin any more. */
  constructor(
    limits: LimiterLimits,
    { timing, emit, stopping }: { timing: Timing; emit: EventSink; stopping: AbortSignal },
  ) {
    this.limits = limits;
    this.timing = timing;
    this.emit = emit;
    this.stopping = stopping;
    this.concurrency = firstConcurrency(limits.concurrency);
    this.bucket = limits.rate && fullBucket(limits.rate, timing.monotonicMs());
    stopping.addEventListener('abort', () => this.close(), { once: true });
    const askedMs = Math.ceil((limits.pausedUntilMs ?? -Infinity) - timing.monotonicMs());
    if (askedMs > 0) this.pauseFor(askedMs, 'it answered so before the first request');
  }

  /** Waits until a request may begin, but not beyond `untilMs` of the monotonic clock. */
  acquire(untilMs = Infinity): Promise<Acquired> {
    if (this.stopping.aborted) return Promise.resolve('closed');
    this.admit();
    // A request that comes at the end of its time, or a little later as timers go, makes its last attempt without waiting.
    if (this.waiting.length === 0 && this.waitMs() === 0) return Promise.resolve(this.begin());
    return new Promise((resolve, reject) => {
      this.waiting.push({ untilMs, resolve, reject });
      this.admit();
    });
  }

  /** Ends a request and admits waiting ones. */
  release(permit: Permit, use: PermitUse): void {
    this.end(permit, use);
    this.admit();
  }

  /**
   * Ends a request that succeeded, and returns a permit for another one when none has to wait for it. The next batch of the
   * account goes before waiting accounts, because it shares its commit with the answer.
   */
  exchange(permit: Permit, tookMs: number): Permit | undefined {
    this.end(permit, { kind: 'succeeded', tookMs });
    const next = !this.stopping.aborted && this.waitMs() === 0 ? this.begin() : undefined;
    this.admit();
    return next;
  }

  /** The rest of the wait that the platform asked of every request, in whole milliseconds. */
  pauseMs(): number {
    return Math.ceil(Math.max(0, this.pausedUntilMs - this.timing.monotonicMs()));
  }

  /** How long no request may begin, in whole milliseconds: for that wait, or until the next probe of an outage. */
  blockedMs(): number {
    const untilProbeMs = (this.breaker.open?.probeAtMs ?? 0) - this.timing.monotonicMs();
    return Math.max(this.pauseMs(), Math.ceil(untilProbeMs));
  }

  /** How the number of requests in flight has developed. */
  course(): ConcurrencyCourse {
    return this.concurrency.course;
  }

  /** How long this machine has been able to open no connection, in milliseconds. */
  unconnectedMs(): number {
    const { unconnectedFromMs: from } = this;
    return from === undefined ? 0 : this.timing.monotonicMs() - from;
  }

  /** How many requests are in flight, and why no more. */
  atOnce(): AtOnce {
    const { inFlight, limits } = this;
    const { limit, most, reductions } = this.concurrency;
    const nowMs = this.timing.monotonicMs();
    const waitsForRate = limits.rate && this.bucket && waitForToken(this.bucket, limits.rate, nowMs) > 0;
    const hasRoom = inFlight < limit;
    const because = hasRoom
      ? this.waiting.length > 0 && waitsForRate
        ? 'rate'
        : 'accounts'
      : limit === most
        ? 'most'
        : reductions > 0
          ? 'throttled'
          : 'growing';
    return { inFlight, limit, most, because };
  }

  private end(permit: Permit, use: PermitUse): void {
    this.inFlight--;
    if (use.kind === 'succeeded') this.endWell(permit, use);
    else if (use.kind === 'failed') this.endFailed(permit, use);
    else {
      if (permit.isProbe) this.breaker = probing(this.breaker, false);
      this.take(-1);
    }
  }

  private endWell({ isProbe }: Permit, { tookMs }: SucceededUse): void {
    this.unconnectedFromMs = undefined;
    this.succeeded++;
    const { limit, reductions, most } = this.concurrency;
    this.concurrency = afterSuccess(this.concurrency, tookMs);
    // Growth at the start of a run is no news.
    if (reductions > 0 && this.concurrency.limit > limit)
      this.emit({ kind: 'eased', to: this.concurrency.limit, most });
    const wasOpen = this.breaker.open !== undefined;
    const nowMs = this.timing.monotonicMs();
    this.breaker = afterAnswer(this.breaker, { failed: false, isProbe, nowMs, random: 0 });
    if (wasOpen) this.emit({ kind: 'recovered' });
  }

  private endFailed(permit: Permit, use: FailedUse): void {
    const { overloaded, isLocal = false, isAnswered = false, askedMs, probeInMs, reason } = use;
    const nowMs = this.timing.monotonicMs();
    this.unconnectedFromMs = isLocal ? (this.unconnectedFromMs ?? nowMs) : undefined;
    // A longer wait than a run makes ends the run, so no request waits for it.
    if (askedMs > this.pauseMs() && !isTooLongToWait(askedMs)) this.pauseFor(askedMs, reason);
    const { limit } = this.concurrency;
    if (overloaded) this.concurrency = afterOverload(this.concurrency, permit.reductionsBefore);
    if (isLocal || isAnswered) {
      if (permit.isProbe) this.breaker = probing(this.breaker, false);
      return;
    }
    if (this.concurrency.limit < limit)
      this.emit({ kind: 'slowed', from: limit, to: this.concurrency.limit, reason });
    const before = this.breaker.open;
    const random = this.timing.random();
    const { isProbe } = permit;
    this.breaker = afterAnswer(this.breaker, { failed: true, isProbe, nowMs, random, probeInMs });
    const { open } = this.breaker;
    if (open && open !== before) this.emit({ kind: 'outage', waitMs: this.blockedMs(), reason });
  }

  private pauseFor(waitMs: number, reason: string): void {
    this.pausedUntilMs = this.timing.monotonicMs() + waitMs;
    this.emit({ kind: 'paused', waitMs, reason });
  }

  /** Turns expired requests away, admits the requests that may begin, and sets the alarm for the next of both. */
  private admit(): void {
    this.turnExpiredAway();
    let waitMs = this.waitMs();
    while (this.waiting.length > 0 && waitMs === 0) {
      this.waiting.shift()!.resolve(this.begin());
      waitMs = this.waitMs();
    }
    // While only the end of another request can admit one, the alarm would only turn requests away.
    const needsNoAlarm = this.waiting.length === 0 || waitMs === Infinity;
    const nextExpiryMs = Math.min(...this.waiting.map(({ untilMs }) => untilMs));
    this.wakeAt(needsNoAlarm ? Infinity : Math.min(this.timing.monotonicMs() + waitMs, nextExpiryMs));
  }

  private begin(): Permit {
    if (this.pausedUntilMs > -Infinity) {
      this.pausedUntilMs = -Infinity;
      this.emit({ kind: 'resumed' });
    }
    const isProbe = this.breaker.open !== undefined;
    if (isProbe) this.breaker = probing(this.breaker, true);
    this.inFlight++;
    this.take(1);
    return { isProbe, reductionsBefore: this.concurrency.reductions };
  }

  /** How long until a request may begin, in milliseconds; `Infinity` until another request ends. */
  private waitMs(): number {
    const { open } = this.breaker;
    if (open?.isProbing || this.inFlight >= this.concurrency.limit) return Infinity;
    const nowMs = this.timing.monotonicMs();
    const { rate } = this.limits;
    const forToken = rate && this.bucket ? waitForToken(this.bucket, rate, nowMs) : 0;
    return Math.max(0, this.pausedUntilMs - nowMs, (open?.probeAtMs ?? nowMs) - nowMs, forToken);
  }

  private take(taken: 1 | -1): void {
    const { rate } = this.limits;
    if (rate && this.bucket)
      this.bucket = withTokens(this.bucket, rate, { taken, nowMs: this.timing.monotonicMs() });
  }

  private turnExpiredAway(): void {
    const nowMs = this.timing.monotonicMs();
    const expired = this.waiting.filter(({ untilMs }) => untilMs <= nowMs);
    this.waiting = this.waiting.filter(({ untilMs }) => untilMs > nowMs);
    for (const { resolve } of expired) resolve('expired');
  }

  private wakeAt(atMs: number): void {
    if (this.alarm?.atMs === atMs) return;
    this.alarm?.off.abort();
    this.alarm = undefined;
    if (atMs === Infinity) return;
    const alarm = { atMs, off: new AbortController() };
    this.alarm = alarm;
    this.timing.sleep(Math.max(0, atMs - this.timing.monotonicMs()), alarm.off.signal).then(
      () => {
        if (this.alarm !== alarm) return;
        this.alarm = undefined;
        this.admit();
      },
      (error: unknown) => {
        for (const { reject } of this.waiting.splice(0)) reject(error);
      },
    );
  }

  private close(): void {
    this.wakeAt(Infinity);
    for (const { resolve } of this.waiting.splice(0)) resolve('closed');
  }
}
