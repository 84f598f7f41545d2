/** Why nothing is answered. `silent`: requests keep failing, and no outage is reported yet, as with few requests at once. */
export type Standstill = 'paused' | 'outage' | 'idle' | 'silent';

/** How long a run without an answer goes on counting, in milliseconds. A shorter silence is the usual life of a busy platform. */
const SILENCE_MS = 20_000;

/**
 * The time in which the platform answered, in milliseconds: the basis of rates. Times of the monotonic clock in which nothing could be
 * answered are left out, outages and silences from the last answer on.
 */
export class AnsweringTime {
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
