import type { AtOnce, PushEvent } from '../../push/events.ts';
import type { SettledOutcome } from '../../push/ports/report.ts';
import { SendingRate } from './sending-rate.ts';

/** Accounts that are not imported. */
export interface NotImported extends Extract<PushEvent, { kind: 'not_imported' }> {
  /** Until when they are waited for, by the monotonic clock. */
  readonly untilMs: number;
}

/** The events of a run so far, for the progress line. */
export class RunCourse {
  stage: 'reading' | 'sending' | 'stopping' = 'reading';
  read = 0;
  invalid = 0;
  /** Records of the run, those that earlier commands settled included. */
  planned = 0;
  retries = 0;
  readonly outcomes: Record<SettledOutcome, number> = {
    created: 0,
    existing: 0,
    uncompared: 0,
    verify: 0,
    rejected: 0,
  };
  /** How often each code of a problem came while records were sent. */
  readonly causes = new Map<string, number>();
  /** Since the last answer; undefined before the first. */
  atOnce: AtOnce | undefined;
  /** Accounts that are not imported; undefined before the platform was asked. */
  notImported: NotImported | undefined;
  /** The requests of the rate, which has none of those that failed while the platform answered nothing. */
  private ratedRequests = 0;
  private readonly time = new AnsweringTime();
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
        this.time.answered(nowMs);
        this.rows.add(this.settled, this.time.at(nowMs));
        this.requestRate.add(0, this.time.at(nowMs));
        return;
      case 'settled':
        this.add(event.outcomes);
        this.time.answered(nowMs);
        this.rows.add(this.settled, this.time.at(nowMs));
        this.countRequest(nowMs);
        this.atOnce = event.atOnce;
        for (const code of event.problems ?? []) this.causes.set(code, (this.causes.get(code) ?? 0) + 1);
        return;
      case 'retry':
        this.retries++;
        this.time.failed(nowMs, event.waitMs);
        // The answer, or the lost answer, of the attempt before.
        if (!this.time.stands()) this.countRequest(nowMs);
        return;
      case 'slowed':
      case 'eased':
        if (this.atOnce) this.atOnce = { ...this.atOnce, limit: event.to };
        return;
      case 'paused':
      case 'outage':
        this.time.begin(event.kind, nowMs);
        return;
      case 'resumed':
        this.time.end('paused', nowMs);
        return;
      case 'recovered':
        this.time.end('outage', nowMs);
        return;
      case 'not_imported':
        this.notImported = { ...event, untilMs: nowMs + event.leftMs };
        return;
      case 'idle':
        this.time[event.isIdle ? 'begin' : 'end']('idle', nowMs);
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
    return this.time.stands('paused') || this.time.stands('outage');
  }

  /** Whether nothing is in flight because no account is ready. */
  get isIdle(): boolean {
    return this.time.stands('idle');
  }

  /**
   * Rows in a second by the last minutes in which the platform answered; undefined while the run waits or stops, and while there is
   * no basis.
   */
  rowsPerSecond(nowMs: number): number | undefined {
    return this.isSending ? this.rows.perSecond(this.settled, this.time.at(nowMs)) : undefined;
  }

  /** Requests in a second; as `rowsPerSecond`. */
  requestsPerSecond(nowMs: number): number | undefined {
    return this.isSending ? this.requestRate.perSecond(this.ratedRequests, this.time.at(nowMs)) : undefined;
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
    const left = this.planned - settled;
    return isKnown ? this.rows.leftMs({ settled, left }, this.time.at(nowMs)) : undefined;
  }

  /** A platform or accounts that make the run wait leave no basis for a rate. */
  get isSending(): boolean {
    return this.stage === 'sending' && !this.isWaiting && !this.isIdle && this.settled < this.planned;
  }

  private countRequest(nowMs: number): void {
    this.requestRate.add(++this.ratedRequests, this.time.at(nowMs));
  }

  private add(outcomes: Readonly<Partial<Record<SettledOutcome, number>>>): void {
    for (const [name, count] of Object.entries(outcomes)) this.outcomes[name as SettledOutcome] += count;
  }
}

/** Why nothing is answered. `silent`: requests keep failing, and no outage is reported yet, as with few requests at once. */
type Standstill = 'paused' | 'outage' | 'idle' | 'silent';

/** How long a run without an answer goes on counting, in milliseconds. A shorter silence is the usual life of a busy platform. */
const SILENCE_MS = 20_000;

/**
 * The time in which the platform answered, in milliseconds: the basis of rates. Times of the monotonic clock in which nothing could be
 * answered are left out, outages and silences from the last answer on.
 */
class AnsweringTime {
  private readonly standstills = new Set<Standstill>();
  /** Since when nothing is answered, while there is a standstill. */
  private stoodFromMs = 0;
  private leftOutMs = 0;
  /** When the last answer came, or the last standstill ended. */
  private answeredMs = 0;
  /** When the last request that failed is sent again. */
  private triesAgainMs = 0;

  /** Whether there is a standstill of this kind, or of any kind. */
  stands(kind?: Standstill): boolean {
    return kind === undefined ? this.standstills.size > 0 : this.standstills.has(kind);
  }

  /** The platform answered, or sending began. */
  answered(nowMs: number): void {
    // The request that is answered had its time, too.
    this.end('silent', Math.min(this.triesAgainMs, nowMs));
    this.answeredMs = nowMs;
  }

  /** A request failed and is sent again after a wait. */
  failed(nowMs: number, waitMs: number): void {
    this.triesAgainMs = nowMs + waitMs;
    if (this.triesAgainMs - this.answeredMs > SILENCE_MS) this.begin('silent', nowMs);
  }

  begin(kind: Standstill, nowMs: number): void {
    const fromMs = kind === 'outage' || kind === 'silent' ? this.answeredMs : nowMs;
    this.stoodFromMs = this.stands() ? Math.min(this.stoodFromMs, fromMs) : fromMs;
    this.standstills.add(kind);
  }

  end(kind: Standstill, nowMs: number): void {
    if (!this.standstills.delete(kind) || this.stands()) return;
    this.leftOutMs += nowMs - this.stoodFromMs;
    this.answeredMs = nowMs;
  }

  at(nowMs: number): number {
    return (this.stands() ? this.stoodFromMs : nowMs) - this.leftOutMs;
  }
}
