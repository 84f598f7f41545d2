import type { AtOnce, PushEvent } from '../../push/events.ts';
import type { SettledOutcome } from '../../push/ports/report.ts';

/** Accounts that are not imported. */
export interface NotImported extends Extract<PushEvent, { kind: 'not_imported' }> {
  /** Until when they are waited for, by the monotonic clock. */
  readonly untilMs: number;
}

/** Why nothing is sent. */
type Wait = 'paused' | 'idle';

/** A rate over less than this time, in milliseconds, is chance. */
const BASIS_MS = 15_000;

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
  private settledBefore = 0;
  /** When sending began, by a clock that stands still in waits. */
  private fromMs = 0;
  private readonly waits = new Set<Wait>();
  private waitsFromMs = 0;

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
        this.settledBefore = this.settled;
        this.planned = event.records + this.settled;
        this.fromMs = nowMs;
        return;
      case 'settled':
        this.add(event.outcomes);
        this.atOnce = event.atOnce;
        for (const code of event.problems ?? []) this.causes.set(code, (this.causes.get(code) ?? 0) + 1);
        return;
      case 'retry':
        this.retries++;
        return;
      case 'paused':
        this.begin('paused', nowMs);
        return;
      case 'resumed':
        this.end('paused', nowMs);
        return;
      case 'not_imported':
        this.notImported = { ...event, untilMs: nowMs + event.leftMs };
        return;
      case 'idle':
        this[event.isIdle ? 'begin' : 'end']('idle', nowMs);
        if (event.isIdle && this.atOnce) this.atOnce = { ...this.atOnce, inFlight: 0, because: 'accounts' };
        return;
      case 'stopping':
        this.stage = 'stopping';
        return;
      case 'slowed':
        return;
      default:
        event satisfies never;
    }
  }

  get settled(): number {
    return Object.values(this.outcomes).reduce((sum, count) => sum + count, 0);
  }

  /** Whether nothing is in flight because no account is ready. */
  get isIdle(): boolean {
    return this.waits.has('idle');
  }

  /** Rows in a second of this command without its waits; undefined while it waits or stops, and while there is no basis. */
  rowsPerSecond(nowMs: number): number | undefined {
    const [settled, tookMs] = [this.settled - this.settledBefore, nowMs - this.fromMs];
    return this.isSending && settled > 0 && tookMs >= BASIS_MS ? (settled * 1_000) / tookMs : undefined;
  }

  /** Accounts that are waited for. */
  get waitedFor(): number {
    const { accounts = 0, leftMs = 0 } = this.notImported ?? {};
    return leftMs > 0 ? accounts : 0;
  }

  /** The time that is left, in milliseconds; as `rowsPerSecond`. Nobody knows when accounts will be imported. */
  leftMs(nowMs: number): number | undefined {
    const rate = (this.notImported?.accounts ?? 0) === 0 ? this.rowsPerSecond(nowMs) : undefined;
    return rate === undefined ? undefined : ((this.planned - this.settled) * 1_000) / rate;
  }

  /** A platform or accounts that make the run wait leave no basis for a rate. */
  get isSending(): boolean {
    return this.stage === 'sending' && this.waits.size === 0 && this.settled < this.planned;
  }

  private begin(wait: Wait, nowMs: number): void {
    if (this.waits.size === 0) this.waitsFromMs = nowMs;
    this.waits.add(wait);
  }

  private end(wait: Wait, nowMs: number): void {
    if (this.waits.delete(wait) && this.waits.size === 0) this.fromMs += nowMs - this.waitsFromMs;
  }

  private add(outcomes: Readonly<Partial<Record<SettledOutcome, number>>>): void {
    for (const [name, count] of Object.entries(outcomes)) this.outcomes[name as SettledOutcome] += count;
  }
}
