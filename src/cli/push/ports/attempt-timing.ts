/** When a request was sent and answered. */
export interface AttemptTiming {
  /** Attempts with the same number are one request, sent again. */
  readonly batch: number;
  readonly records: number;
  /** Milliseconds since 1970. */
  readonly startedMs: number;
  readonly endedMs: number;
  /** Whether the answer settled the request. */
  readonly isSettled: boolean;
}
