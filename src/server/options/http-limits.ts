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
  /** How long a stopping server waits for requests that have not arrived whole. */
  readonly stopGraceMs: number;
  /** How long stopping takes at most. The server aborts requests that are still unanswered then. */
  readonly stopTimeoutMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  maxConnections: 4_000,
  maxRequestsPerSocket: 1_000,
  // Both stop limits are below the 10 s after which container runtimes kill a process.
  stopGraceMs: 2_000,
  stopTimeoutMs: 8_000,
};

/** Header lines of a request. Clients of the interface send at most twenty. */
export const MAX_HEADERS = 200;
