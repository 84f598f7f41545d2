import type { AtOnce, PushEvent } from '../push/events.ts';
import type { SettledOutcome } from '../push/ports/report.ts';
import { SendingRate } from './sending-rate.ts';

/** Accounts that are not imported. */
export interface NotImported extends Extract<PushEvent, { kind: 'not_imported' }> {
  /** Until when they are waited for, by the monotonic clock. */
  readonly untilMs: number;
}

/** The events of a run so far, for the progress line and for metrics. */
export class RunCourse {
  stage: 'reading' | 'sending' | 'stopping' | 'ended' = 'reading';
  read = 0;
  invalid = 0;
  /** Records of the run, those that earlier commands settled included. */
  planned = 0;
  retries = 0;
  /** Answered and lost requests of this command. */
  requests = 0;
  readonly outcomes: Record<SettledOutcome, number> = { created: 0, existing: 0, verify: 0, rejected: 0 };
  /** How often each code of a problem came while records were sent. */
  readonly causes = new Map<string, number>();
  /** Since the last answer; undefined before the first. */
  atOnce: AtOnce | undefined;
  /** Accounts that are not imported; undefined before the platform was asked. */
  notImported: NotImported | undefined;
  /** Whether nothing is in flight because no account is ready. */
  isIdle = false;
  private isPaused = false;
  private isDown = false;
  private readonly rows = new SendingRate();
  private readonly requestRate = new SendingRate();

  /** `nowMs`: by the monotonic clock. */
  apply(event: PushEvent, nowMs: number): void {
    switch (event.kind) {
      case 'staging':
        this.read = event.rows;
        this.invalid = event.invalid;
        return;
      case 'planned':
        this.stage = 'sending';
        this.add(event.settled ?? {});
        this.planned = event.records + this.settled;
        this.rows.add(this.settled, nowMs);
        this.requestRate.add(0, nowMs);
        return;
      case 'settled':
        this.add(event.outcomes);
        this.rows.add(this.settled, nowMs);
        this.requestRate.add(++this.requests, nowMs);
        this.atOnce = event.atOnce;
        for (const code of event.problems ?? []) this.causes.set(code, (this.causes.get(code) ?? 0) + 1);
        return;
      case 'retry':
        this.retries++;
        // The answer, or the lost answer, of the attempt before.
        this.requestRate.add(++this.requests, nowMs);
        return;
      case 'slowed':
      case 'eased':
        if (this.atOnce) this.atOnce = { ...this.atOnce, limit: event.to };
        return;
      case 'paused':
      case 'resumed':
        this.isPaused = event.kind === 'paused';
        return;
      case 'outage':
      case 'recovered':
        this.isDown = event.kind === 'outage';
        return;
      case 'not_imported':
        this.notImported = { ...event, untilMs: nowMs + event.leftMs };
        return;
      case 'idle':
        this.isIdle = event.isIdle;
        if (event.isIdle && this.atOnce) this.atOnce = { ...this.atOnce, inFlight: 0, because: 'accounts' };
        return;
      case 'stopping':
        this.stage = 'stopping';
        return;
      default:
        event satisfies never;
    }
  }

  get settled(): number {
    return Object.values(this.outcomes).reduce((sum, count) => sum + count, 0);
  }

  /** Whether the platform asks to wait or keeps failing. */
  get isWaiting(): boolean {
    return this.isPaused || this.isDown;
  }

  /** Rows in a second by the last minutes; undefined while the run waits or stops, and while there is no basis. */
  rowsPerSecond(nowMs: number): number | undefined {
    return this.isSending ? this.rows.perSecond(this.settled, nowMs) : undefined;
  }

  /** Requests in a second; as `rowsPerSecond`. */
  requestsPerSecond(nowMs: number): number | undefined {
    return this.isSending ? this.requestRate.perSecond(this.requests, nowMs) : undefined;
  }

  /** Accounts that are waited for. */
  get waitedFor(): number {
    const { accounts = 0, leftMs = 0 } = this.notImported ?? {};
    return leftMs > 0 ? accounts : 0;
  }

  /** The time that is left, in milliseconds; as `rowsPerSecond`. Nobody knows when accounts will be imported. */
  leftMs(nowMs: number): number | undefined {
    const { settled } = this;
    const isKnown = this.isSending && (this.notImported?.accounts ?? 0) === 0;
    return isKnown ? this.rows.leftMs({ settled, left: this.planned - settled }, nowMs) : undefined;
  }

  /** A platform or accounts that make the run wait leave no basis for a rate. */
  get isSending(): boolean {
    return this.stage === 'sending' && !this.isWaiting && !this.isIdle && this.settled < this.planned;
  }

  private add(outcomes: Readonly<Partial<Record<SettledOutcome, number>>>): void {
    for (const [name, count] of Object.entries(outcomes)) this.outcomes[name as SettledOutcome] += count;
  }
}
