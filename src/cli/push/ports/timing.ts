/** Time and chance, handed in so that tests assert them instead of enduring them. */
export interface Timing {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Resolves after `waitMs`, or at once when the signal aborts. */
  sleep(waitMs: number, signal?: AbortSignal): Promise<void>;
  /** A number from 0 up to but not including 1. */
  random(): number;
}
