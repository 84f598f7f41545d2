/** How much of the server one client may use. */
export interface HttpLimits {
  /** For the header of a request, from its first byte; also how long a new connection may stay silent. */
  readonly headersTimeoutMs: number;
  /** For a whole request with its body. */
  readonly requestTimeoutMs: number;
  /** Connections at a time. The server closes any further connection at once. */
  readonly maxConnections: number;
  /** Requests on one connection. The answer to the last one closes the connection. */
  readonly maxRequestsPerSocket: number;
  /** How long stopping takes at most. The server aborts requests that are unanswered then. */
  readonly stopMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  maxConnections: 4_000,
  maxRequestsPerSocket: 1_000,
  // Container runtimes kill a process after 10 s.
  stopMs: 5_000,
};

/** Header lines of a request. Clients of the interface send at most twenty. */
export const MAX_HEADERS = 200;
