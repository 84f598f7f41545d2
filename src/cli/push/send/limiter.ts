import type { EventSink } from '../events.ts';
import type { Timing } from '../ports/timing.ts';
import { CATCH_UP_MS, FAILURES_AT_FIRST_PROBE, jitterMs } from '../waits.ts';

export interface LimiterLimits {
  /** Most requests in flight at once. */
  readonly concurrency: number;
  /** Whether the first request is alone, because it shows whether the platform takes the key and the supplier. Default: false. */
  readonly firstAlone?: boolean;
  /** Most requests in a span of time (`--rate-limit`). Undefined: no limit but the answers. */
  readonly rate?: { readonly requests: number; readonly perMs: number } | undefined;
  /** No request begins before this time of the monotonic clock, because the platform asked to wait. Default: no such wait. */
  readonly pausedUntilMs?: number;
}

/** Permission to send one request. */
export interface Permit {
  /** How many setbacks the run had had. A request from before the last one says nothing about what the limiter does since. */
  readonly setbacksBefore: number;
}

/** The end of the request of a permit. `unused`: it was not sent after all. `tookMs`: from sending to the end of the answer. */
export type PermitUse =
  | { readonly kind: 'unused' }
  | { readonly kind: 'succeeded'; readonly tookMs: number }
  | FailedUse;

interface FailedUse {
  readonly kind: 'failed';
  /**
   * `overload`: fewer requests should be in flight. `unproven`: an answer came that asks for no wait and proves nothing, so the platform is not
   * down.
   */
  readonly cause: 'overload' | 'unproven' | 'failure';
  /** How long every request is asked to wait, in milliseconds; 0 for no wait. */
  readonly askedMs: number;
  /** A failure that alone proves an outage: how long the next request waits at least, in milliseconds. Default: it proves none. */
  readonly probeInMs?: number | undefined;
  readonly reason: string;
}

/** Requests in flight at the start of a run. */
const FIRST_CONCURRENCY = 16;

/** The limit may grow up to this when nobody has said otherwise. */
export const MOST_CONCURRENCY = 64;

/** Answers are quick while their median is at most this much longer than the best one. Differences below `CHANCE_MS` are chance. */
const QUICK = 1.5;
const CHANCE_MS = 5;

/** Failures in a row that prove an outage. */
const FAILURES_OF_OUTAGE = 10;

/**
 * The pace of a run. Every request needs a permit before its batch is claimed, first come, first served.
 *
 * - At most `limit` requests are in flight. The limit doubles while answers stay quick, and grows by one after the first that did not. It
 *   goes back when answers take longer, but not below its start, and halves when the platform is overloaded.
 * - No request begins before the pause is over. The platform asks for one, and an outage makes one before each of its probes.
 * - After ten failures in a row the platform is down: one request at a time probes whether it is back, until one is answered well.
 * - A rate (`--rate-limit`) spreads the requests evenly.
 */
export class Limiter {
  /** Requests that ended well. */
  succeeded = 0;
  private readonly limits: LimiterLimits;
  private readonly timing: Timing;
  private readonly emit: EventSink;
  private readonly stopping: AbortSignal;
  /** Most requests in flight at this time. */
  limit: number;
  private inFlight = 0;
  /** Whether a request has ended. */
  private hasEnded = false;
  /** Whether the limit still doubles. */
  private doubles = true;
  /** How long the good answers since the last decision about the limit took, in milliseconds. */
  private tookMs: number[] = [];
  private bestMs = Infinity;
  /** How often the limit was halved, and how many probes were ordered. */
  private setbacks = 0;
  private failuresInARow = 0;
  /** When the first of these failures came. */
  private failingFromMs = Infinity;
  private pausedUntilMs = -Infinity;
  /** Whether a pause was reported, and not its end. */
  private isPaused = false;
  /** When the rate allows the next request. */
  private nextByRateMs = -Infinity;
  private readonly waiting: PromiseWithResolvers<Permit | undefined>[] = [];
  /** When waiting requests are looked at again. */
  private alarmMs = Infinity;

  /** `stopping` aborts when no request may begin any more. */
  constructor(
    limits: LimiterLimits,
    { timing, emit, stopping }: { timing: Timing; emit: EventSink; stopping: AbortSignal },
  ) {
    this.limits = limits;
    this.timing = timing;
    this.emit = emit;
    this.stopping = stopping;
    this.limit = Math.min(FIRST_CONCURRENCY, limits.concurrency);
    const close = (): void => this.waiting.splice(0).forEach(({ resolve }) => resolve(undefined));
    stopping.addEventListener('abort', close, { once: true });
    const askedMs = Math.ceil((limits.pausedUntilMs ?? -Infinity) - timing.monotonicMs());
    if (askedMs > 0) this.pause(askedMs, 'it answered so before the first request');
  }

  /** Waits until a request may begin. Undefined when none may begin any more. */
  acquire(): Promise<Permit | undefined> {
    if (this.stopping.aborted) return Promise.resolve(undefined);
    const waiting = Promise.withResolvers<Permit | undefined>();
    this.waiting.push(waiting);
    this.admit();
    return waiting.promise;
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
    const next = !this.stopping.aborted && this.mayBegin() ? this.begin() : undefined;
    this.admit();
    return next;
  }

  /** The rest of the pause, in whole milliseconds. */
  pauseMs(): number {
    return Math.ceil(Math.max(0, this.pausedUntilMs - this.timing.monotonicMs()));
  }

  /** Since when the platform is down; `Infinity` while it is not. */
  downFromMs(): number {
    return this.isDown ? this.failingFromMs : Infinity;
  }

  /** Whether the platform is down. */
  private get isDown(): boolean {
    return this.failuresInARow >= FAILURES_OF_OUTAGE;
  }

  private end(permit: Permit, use: PermitUse): void {
    this.inFlight--;
    this.hasEnded ||= use.kind !== 'unused';
    if (use.kind === 'succeeded') this.endWell(use.tookMs);
    else if (use.kind === 'failed') this.endFailed(permit, use);
    else this.nextByRateMs -= this.eachMs();
  }

  private endWell(tookMs: number): void {
    this.succeeded++;
    this.failuresInARow = 0;
    // An answer to a request that was in flight when the pause began does not end it.
    if (this.isPaused && this.pauseMs() === 0) {
      this.isPaused = false;
      this.emit({ kind: 'resumed' });
    }
    this.tookMs.push(tookMs);
    if (this.tookMs.length >= this.limit) this.adapt();
  }

  /** Changes the limit by the median of as many good answers as it is high, so that a few slow answers change nothing. */
  private adapt(): void {
    const { limit, doubles } = this;
    const most = this.limits.concurrency;
    const medianMs = this.tookMs.toSorted((a, b) => a - b)[Math.floor((this.tookMs.length - 1) / 2)]!;
    this.tookMs = [];
    this.bestMs = Math.min(this.bestMs, medianMs);
    if (medianMs > QUICK * this.bestMs + CHANCE_MS) {
      this.doubles = false;
      this.limit = Math.max(Math.min(limit, FIRST_CONCURRENCY), doubles ? Math.floor(limit / 2) : limit - 1);
      return;
    }
    this.limit = Math.min(doubles ? limit * 2 : limit + 1, most);
  }

  private endFailed({ setbacksBefore }: Permit, { cause, askedMs, probeInMs, reason }: FailedUse): void {
    if (askedMs > this.pauseMs()) this.pause(askedMs, reason);
    // Requests that were in flight together halve the limit once, and are one outage.
    const isNews = setbacksBefore === this.setbacks;
    if (isNews && cause === 'overload') this.halve();
    if (cause === 'unproven' || (this.isDown && !isNews)) return;
    if (this.failuresInARow++ === 0) this.failingFromMs = this.timing.monotonicMs();
    if (probeInMs !== undefined) this.failuresInARow = Math.max(this.failuresInARow, FAILURES_OF_OUTAGE);
    if (!this.isDown) return;
    // Each probe that fails makes the next one wait longer.
    this.setbacks++;
    const failures = FAILURES_AT_FIRST_PROBE + this.failuresInARow - FAILURES_OF_OUTAGE;
    this.pause(Math.max(probeInMs ?? 0, jitterMs(failures, this.timing.random())), reason, true);
  }

  private halve(): void {
    this.setbacks++;
    this.doubles = false;
    this.tookMs = [];
    this.limit = Math.max(1, Math.floor(this.limit / 2));
  }

  /** No request begins for this time, and not before the end of another pause. */
  private pause(waitMs: number, reason: string, isOutage = false): void {
    this.pausedUntilMs = Math.max(this.pausedUntilMs, this.timing.monotonicMs() + waitMs);
    this.isPaused = true;
    this.emit({ kind: 'paused', waitMs: this.pauseMs(), isOutage, reason });
  }

  /** Admits the requests that may begin, and sets the alarm for the next one. */
  private admit(): void {
    while (this.waiting.length > 0 && this.mayBegin()) this.waiting.shift()!.resolve(this.begin());
    this.wakeAt(this.waiting.length > 0 ? this.nextMs() : Infinity);
  }

  private begin(): Permit {
    this.inFlight++;
    const eachMs = this.eachMs();
    const earliestMs = this.timing.monotonicMs() - Math.max(0, CATCH_UP_MS - eachMs);
    this.nextByRateMs = Math.max(this.nextByRateMs, earliestMs) + eachMs;
    return { setbacksBefore: this.setbacks };
  }

  private mayBegin(): boolean {
    return this.nextMs() <= this.timing.monotonicMs();
  }

  /** When the next request may begin; `Infinity` until another request ends. */
  private nextMs(): number {
    const isAlone = this.isDown || (this.limits.firstAlone === true && !this.hasEnded);
    if (this.inFlight >= (isAlone ? 1 : this.limit)) return Infinity;
    return Math.max(this.pausedUntilMs, this.nextByRateMs);
  }

  /** The time of one request at the rate, in milliseconds; 0 without a rate. */
  private eachMs(): number {
    const { rate } = this.limits;
    return rate ? rate.perMs / rate.requests : 0;
  }

  /** An alarm that is set already, and earlier, sets the next one. */
  private wakeAt(atMs: number): void {
    if (atMs >= this.alarmMs) return;
    this.alarmMs = atMs;
    this.timing.sleep(Math.ceil(atMs - this.timing.monotonicMs()), this.stopping).then(
      () => {
        this.alarmMs = Infinity;
        this.admit();
      },
      (error: unknown) => {
        for (const { reject } of this.waiting.splice(0)) reject(error);
      },
    );
  }
}
