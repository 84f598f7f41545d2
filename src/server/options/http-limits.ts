/** How much of the server one sender may take up; emulator.md, "Start, stop, safety". */
export interface HttpLimits {
  /** For the header of a request, counted from its first byte, and for a new connection to send any. */
  readonly headersTimeoutMs: number;
  /** For a whole request with its body. */
  readonly requestTimeoutMs: number;
  /** Connections at a time; a further one is closed at once. */
  readonly maxConnections: number;
  /** The answer to the last one of a connection says that it is closed. */
  readonly maxRequestsPerSocket: number;
  /** How long a server that stops waits for requests that have not come whole. */
  readonly stopGraceMs: number;
  /** How long a stop takes at most; what is not answered by then is cut. */
  readonly stopTimeoutMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  maxConnections: 4_000,
  maxRequestsPerSocket: 1_000,
  // Together less than the 10 s after which container runtimes kill.
  stopGraceMs: 2_000,
  stopTimeoutMs: 8_000,
};

/** Header lines of a request; no client of the interface sends more than twenty. */
export const MAX_HEADERS = 200;
