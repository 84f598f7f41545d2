import type { Instant } from '../../core/values/instant.ts';

/** One request of the interface and what it was answered with. No header of it is kept, so no secret is. */
export interface LoggedRequest {
  /** Counts from 1 since the start or the last reset. */
  readonly seq: number;
  /** When it came, by the real clock. */
  readonly at: Instant;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** Without the question mark, and of parameters that the interface does not know without their values. */
  readonly query: string;
  /** Null when the connection ended without a whole answer. */
  readonly status: number | null;
  /** Codes that the answer names, each once. */
  readonly codes: readonly string[];
  readonly duration_ms: number;
  readonly request_bytes: number;
  /** Null when it is not known, as of an answer that was cut. */
  readonly response_bytes: number | null;
  /** Texts of both bodies, when bodies are kept. */
  readonly request_body?: string;
  readonly response_body?: string;
}

/** Which requests are wanted; what is left out does not matter. */
export interface RequestFilter {
  /** One status such as `404`, or a class of them such as `4xx`. */
  readonly status?: string | undefined;
  /** What the path begins with. */
  readonly path?: string | undefined;
  readonly since?: Instant | undefined;
}

/** The last requests of a world, oldest first. */
export interface RequestLog {
  add(request: Omit<LoggedRequest, 'seq'>): void;
  list(filter: RequestFilter): readonly LoggedRequest[];
  clear(): void;
}

/** Most requests that are kept, and most of them with their bodies; the oldest go first. */
const KEPT = { requests: 10_000, bodies: 1_000 };

export function requestLog({ requests: kept, bodies } = KEPT): RequestLog {
  let ring: LoggedRequest[] = [];
  let lastSeq = 0;
  return {
    add: (request) => {
      ring[lastSeq % kept] = { seq: ++lastSeq, ...request };
      const older = (lastSeq - 1 - bodies) % kept;
      if (ring[older]) ring[older] = withoutBodies(ring[older]);
    },
    list: (filter) => {
      const oldest = lastSeq % kept;
      const inOrder = lastSeq < kept ? ring : [...ring.slice(oldest), ...ring.slice(0, oldest)];
      return inOrder.filter((request) => isWanted(request, filter));
    },
    clear: () => {
      ring = [];
      lastSeq = 0;
    },
  };
}

function withoutBodies(logged: LoggedRequest): LoggedRequest {
  const { request_body: _, response_body: __, ...request } = logged;
  return request;
}

function isWanted({ status, path, at }: LoggedRequest, filter: RequestFilter): boolean {
  return (
    (filter.status === undefined || isOfStatus(status, filter.status)) &&
    (filter.path === undefined || path.startsWith(filter.path)) &&
    (filter.since === undefined || at >= filter.since)
  );
}

function isOfStatus(status: number | null, wanted: string): boolean {
  const text = String(status ?? 'none');
  return wanted.endsWith('xx') ? text.startsWith(wanted[0]!) && text.length === 3 : text === wanted;
}
