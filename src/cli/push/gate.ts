import { isTooLongToWait } from './backoff.ts';
import { afterAnswer, CLOSED, probing, unprobed, type Breaker } from './breaker.ts';
import { afterOverload, afterSuccess, firstConcurrency, type Concurrency } from './concurrency.ts';
import type { EventSink } from './events.ts';
import type { Timing } from './ports/timing.ts';
import { fullBucket, waitForToken, withTokens, type Rate, type TokenBucket } from './token-bucket.ts';

/** What the gate lets through. */
export interface GateLimits {
  /** Most requests in flight at once. */
  readonly concurrency: number;
  /** Undefined: as many as there are answers. */
  readonly rate: Rate | undefined;
}

/** What one request told of the platform. `unused`: it was not sent after all. */
export type Verdict = { readonly kind: 'well' } | { readonly kind: 'unused' } | FailedVerdict;

interface FailedVerdict {
  readonly kind: 'failed';
  /** Whether it says that fewer requests should be in flight. */
  readonly overloaded: boolean;
  /** What it asks everybody to wait, in milliseconds; 0 for nothing. */
  readonly askedMs: number;
  readonly reason: string;
}

/** Leave to send one request. */
export interface Pass {
  readonly isProbe: boolean;
  /** How often the limit had been cut. */
  readonly cutsBefore: number;
}

/** `late`: the time given was over first. `closed`: no request may begin any more. */
type Entry = Pass | 'late' | 'closed';

interface Waiting {
  readonly untilMs: number;
  readonly enter: (entry: Entry) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Where every request of a run has to pass before it is claimed: not too many at once, not too fast, not while the
 * platform asks to wait, and one by one while it is down. First come, first served.
 */
export class Gate {
  private readonly limits: GateLimits;
  private readonly timing: Timing;
  private readonly emit: EventSink;
  private readonly closing: AbortSignal;
  private concurrency: Concurrency;
  private breaker: Breaker = CLOSED;
  private bucket: TokenBucket | undefined;
  private inFlight = 0;
  private pausedUntilMs = -Infinity;
  private waiting: Waiting[] = [];
  private alarm: { readonly atMs: number; readonly off: AbortController } | undefined;

  /** `closing` aborts when no request may begin any more. */
  constructor(limits: GateLimits, world: { timing: Timing; emit: EventSink; closing: AbortSignal }) {
    this.limits = limits;
    this.timing = world.timing;
    this.emit = world.emit;
    this.closing = world.closing;
    this.concurrency = firstConcurrency(limits.concurrency);
    this.bucket = limits.rate && fullBucket(limits.rate, world.timing.monotonicMs());
    world.closing.addEventListener('abort', () => this.close(), { once: true });
  }

  /** Waits until a request may begin; beyond a moment of the monotonic clock not any longer. */
  enter(untilMs = Infinity): Promise<Entry> {
    if (this.closing.aborted) return Promise.resolve('closed');
    this.admit();
    // Who comes at the end of its time, or a little later as timers go, makes its last attempt if it need not wait.
    if (this.waiting.length === 0 && this.waitMs() === 0) return Promise.resolve(this.begin());
    return new Promise((enter, fail) => {
      this.waiting.push({ untilMs, enter, fail });
      this.admit();
    });
  }

  /** What is left of a wait that the platform asked of everybody, in whole milliseconds. */
  pauseMs(): number {
    return Math.ceil(Math.max(0, this.pausedUntilMs - this.timing.monotonicMs()));
  }

  /** How long nobody may begin, in whole milliseconds: for that wait, or until the next look at a platform that is down. */
  closedMs(): number {
    const untilProbeMs = (this.breaker.open?.probeAtMs ?? 0) - this.timing.monotonicMs();
    return Math.max(this.pauseMs(), Math.ceil(untilProbeMs));
  }

  /** Ends a request and lets others in. */
  leave(pass: Pass, verdict: Verdict): void {
    this.note(pass, verdict);
    this.admit();
  }

  /**
   * Ends a request that went well, with leave to send another one at once if there is any to be had; without it the
   * next one has to enter. The accounts that wait may wait: what goes on shares its commit with the answer.
   */
  renew(pass: Pass): Pass | undefined {
    this.note(pass, { kind: 'well' });
    const next = !this.closing.aborted && this.waitMs() === 0 ? this.begin() : undefined;
    this.admit();
    return next;
  }

  private note(pass: Pass, verdict: Verdict): void {
    this.inFlight--;
    if (verdict.kind === 'unused') this.giveBack(pass);
    else if (verdict.kind === 'well') this.noteSuccess(pass);
    else this.noteFailure(pass, verdict);
  }

  private giveBack({ isProbe }: Pass): void {
    if (isProbe) this.breaker = unprobed(this.breaker);
    this.take(-1);
  }

  private noteSuccess({ isProbe }: Pass): void {
    const { limit, cuts, most } = this.concurrency;
    this.concurrency = afterSuccess(this.concurrency);
    // A run that only warms up has nothing to tell.
    if (cuts > 0 && this.concurrency.limit > limit)
      this.emit({ kind: 'eased', to: this.concurrency.limit, most });
    const wasOpen = this.breaker.open !== undefined;
    const nowMs = this.timing.monotonicMs();
    this.breaker = afterAnswer(this.breaker, { failed: false, isProbe, nowMs, random: 0 });
    if (wasOpen) this.emit({ kind: 'recovered' });
  }

  private noteFailure(pass: Pass, { overloaded, askedMs, reason }: FailedVerdict): void {
    const nowMs = this.timing.monotonicMs();
    // A run that would have to wait longer ends, so nobody waits for it.
    if (askedMs > this.pauseMs() && !isTooLongToWait(askedMs)) {
      this.pausedUntilMs = nowMs + askedMs;
      this.emit({ kind: 'paused', waitMs: askedMs, reason });
    }
    const { limit } = this.concurrency;
    if (overloaded) this.concurrency = afterOverload(this.concurrency, pass.cutsBefore);
    if (this.concurrency.limit < limit)
      this.emit({ kind: 'slowed', from: limit, to: this.concurrency.limit, reason });
    const before = this.breaker.open;
    const random = this.timing.random();
    this.breaker = afterAnswer(this.breaker, { failed: true, isProbe: pass.isProbe, nowMs, random });
    const { open } = this.breaker;
    if (open && open !== before) {
      this.emit({ kind: 'outage', waitMs: this.closedMs(), reason });
    }
  }

  /** Turns away who has waited long enough, lets in whoever may enter now, and wakes up again for the next of both. */
  private admit(): void {
    this.turnAwayLate();
    let waitMs = this.waitMs();
    while (this.waiting.length > 0 && waitMs === 0) {
      this.waiting.shift()!.enter(this.begin());
      waitMs = this.waitMs();
    }
    // While a request decides, nobody is woken only to be turned away.
    const nobodyMayComeYet = this.waiting.length === 0 || waitMs === Infinity;
    const nextLateMs = Math.min(...this.waiting.map(({ untilMs }) => untilMs));
    this.wakeAt(nobodyMayComeYet ? Infinity : Math.min(this.timing.monotonicMs() + waitMs, nextLateMs));
  }

  private begin(): Pass {
    if (this.pausedUntilMs > -Infinity) {
      this.pausedUntilMs = -Infinity;
      this.emit({ kind: 'resumed' });
    }
    const isProbe = this.breaker.open !== undefined;
    if (isProbe) this.breaker = probing(this.breaker);
    this.inFlight++;
    this.take(1);
    return { isProbe, cutsBefore: this.concurrency.cuts };
  }

  /** How long until a request may begin, in milliseconds; `Infinity` until another one ends. */
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

  private turnAwayLate(): void {
    const nowMs = this.timing.monotonicMs();
    const late = this.waiting.filter(({ untilMs }) => untilMs <= nowMs);
    this.waiting = this.waiting.filter(({ untilMs }) => untilMs > nowMs);
    for (const { enter } of late) enter('late');
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
        for (const { fail } of this.waiting.splice(0)) fail(error);
      },
    );
  }

  private close(): void {
    this.wakeAt(Infinity);
    for (const { enter } of this.waiting.splice(0)) enter('closed');
  }
}
