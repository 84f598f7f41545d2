import type { Instant } from '../../core/values/instant.ts';

/** One request of the interface with its answer. Headers are not kept, so no secret is. */
export interface LoggedRequest {
  /** Counts from 1 since the start or the last reset. */
  readonly seq: number;
  /** When the request arrived, by the real clock. */
  readonly at: Instant;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** Without the question mark, and without the values of parameters that the interface does not know. */
  readonly query: string;
  /** Null when the connection ended without a whole answer. */
  readonly status: number | null;
  /** The error codes of the answer, each once. */
  readonly codes: readonly string[];
  readonly duration_ms: number;
  readonly request_bytes: number;
  /** Null when unknown, such as for an aborted answer. */
  readonly response_bytes: number | null;
  /** Both bodies, when the log keeps bodies. */
  readonly request_body?: string;
  readonly response_body?: string;
}

/** Selects requests. A missing property selects all. */
export interface RequestFilter {
  /** One status such as `404`, or a class of them such as `4xx`. */
  readonly status?: string | undefined;
  /** The beginning of the path. */
  readonly path?: string | undefined;
  readonly since?: Instant | undefined;
}

/** The last requests of a tenant, oldest first. */
export interface RequestLog {
  add(request: Omit<LoggedRequest, 'seq'>): void;
  list(filter: RequestFilter): readonly LoggedRequest[];
  clear(): void;
  /** Since the start, also what is no longer in the log. */
  counts(): { readonly requests: number; readonly refused: number };
}

/** Most requests in the log, and most of them with bodies. The oldest requests and bodies are dropped first. */
const KEPT = { requests: 10_000, bodies: 1_000 };

export function requestLog({ requests: kept, bodies } = KEPT): RequestLog {
  let ring: LoggedRequest[] = [];
  let lastSeq = 0;
  const counts = { requests: 0, refused: 0 };
  return {
    add: (request) => {
      counts.requests += 1;
      if (request.status !== null && request.status >= 400) counts.refused += 1;
      ring[lastSeq % kept] = { seq: ++lastSeq, ...request };
      const older = (lastSeq - 1 - bodies) % kept;
      if (ring[older]) ring[older] = withoutBodies(ring[older]);
    },
    list: (filter) => {
      const oldest = lastSeq % kept;
      const inOrder = lastSeq < kept ? ring : [...ring.slice(oldest), ...ring.slice(0, oldest)];
      return inOrder.filter((request) => isSelected(request, filter));
    },
    clear: () => {
      ring = [];
      lastSeq = 0;
    },
    counts: () => ({ ...counts }),
  };
}

function withoutBodies(logged: LoggedRequest): LoggedRequest {
  const { request_body: _, response_body: __, ...request } = logged;
  return request;
}

function isSelected({ status, path, at }: LoggedRequest, filter: RequestFilter): boolean {
  return (
    (filter.status === undefined || hasStatus(status, filter.status)) &&
    (filter.path === undefined || path.startsWith(filter.path)) &&
    (filter.since === undefined || at >= filter.since)
  );
}

function hasStatus(status: number | null, selected: string): boolean {
  const text = String(status ?? 'none');
  return selected.endsWith('xx') ? text.startsWith(selected[0]!) && text.length === 3 : text === selected;
}
