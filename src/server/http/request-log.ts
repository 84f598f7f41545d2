import type { Instant } from '../../core/values/instant.ts';
import { bytesOf, keptRequest } from './kept-request.ts';
import type { LoggedRequest } from './logged-request.ts';
import { isByFault, requestTally } from './request-tally.ts';

/** Selects requests. A missing property selects all. */
export interface RequestFilter {
  /** One status such as `404`, a class of them such as `4xx`, `none`, or `fault` for requests that a fault answered. */
  readonly status?: string | undefined;
  /** The beginning of the path. */
  readonly path?: string | undefined;
  readonly since?: Instant | undefined;
  readonly endpoint?: string | undefined;
  /** A part of the account number, or the whole number in double quotes. Case does not matter. */
  readonly account?: string | undefined;
  readonly code?: string | undefined;
  /** A part of path, query, account, code, fault rule, identifier of a conflicting replay, or body. */
  readonly text?: string | undefined;
}

export interface RequestRange {
  /** Only requests with a lower number. */
  readonly before: number;
  readonly limit: number;
}

/** What the log keeps: the last requests, and as many bytes of them in memory. */
const KEPT = { requests: 100_000, bytes: 64_000_000 };

/** The last requests. The oldest bodies are dropped first, and then the oldest requests. */
export function requestLog(limits: Partial<typeof KEPT> = {}) {
  const most = { ...KEPT, ...limits };
  /** By number, without a gap. */
  const kept = new Map<number, Entry>();
  let lastSeq = 0;
  /** Number of the oldest request whose bodies may still be there. */
  let firstWithBodies = 1;
  let tally = requestTally();
  let bytes = 0;
  let count = 0;
  const firstSeq = () => lastSeq - kept.size + 1;
  const put = (seq: number, entry: Entry) => {
    bytes += entry.bytes - (kept.get(seq)?.bytes ?? 0);
    kept.set(seq, entry);
  };
  const dropOldestRequest = () => {
    const first = firstSeq();
    bytes -= kept.get(first)!.bytes;
    kept.delete(first);
    firstWithBodies = Math.max(firstWithBodies, first + 1);
  };
  /** The newest request stays, however large it is. */
  const makeRoom = () => {
    while (bytes > most.bytes && kept.size > 1) {
      if (firstWithBodies === lastSeq) dropOldestRequest();
      else {
        put(firstWithBodies, withoutBodies(kept.get(firstWithBodies)!));
        firstWithBodies += 1;
      }
    }
  };
  const newest = (filter: RequestFilter, { before, limit }: RequestRange): readonly LoggedRequest[] => {
    const found: LoggedRequest[] = [];
    for (let seq = Math.min(before - 1, lastSeq); seq >= firstSeq() && found.length < limit; seq--) {
      const { request } = kept.get(seq)!;
      if (isSelected(request, filter)) found.push(request);
    }
    return found;
  };
  return {
    add: (request: Omit<LoggedRequest, 'seq' | 'cut'>) => {
      count += 1;
      const added = keptRequest(request);
      tally.add(added.request);
      if (kept.size === most.requests) dropOldestRequest();
      lastSeq += 1;
      put(lastSeq, { request: { seq: lastSeq, ...added.request }, bytes: added.bytes });
      makeRoom();
    },
    /** Oldest first. */
    list: (filter: RequestFilter) => newest(filter, { before: Infinity, limit: Infinity }).toReversed(),
    /** The newest selected requests before a number, newest first. */
    newest,
    /** Undefined when it is no longer in the log. */
    at: (seq: number) => kept.get(seq)?.request,
    clear: () => {
      kept.clear();
      lastSeq = 0;
      firstWithBodies = 1;
      tally = requestTally();
      bytes = 0;
    },
    /** Since the start, also what is no longer in the log. */
    count: () => count,
    /** Since the start or the last reset, also what is no longer in the log. */
    tally: () => tally,
  };
}

/** A request in the log, and about how many bytes it takes. */
type Entry = { readonly request: LoggedRequest; readonly bytes: number };

function withoutBodies({ request, bytes }: Entry): Entry {
  const { request_body, response_body, ...others } = request;
  return { request: others, bytes: bytes - bytesOf(request_body) - bytesOf(response_body) };
}

function isSelected(request: LoggedRequest, filter: RequestFilter): boolean {
  const { path, at, endpoint, external_account_number: account, codes } = request;
  return (
    (filter.status === undefined || hasStatus(request, filter.status)) &&
    (filter.path === undefined || path.startsWith(filter.path)) &&
    (filter.since === undefined || at >= filter.since) &&
    (filter.endpoint === undefined || endpoint === filter.endpoint) &&
    (filter.account === undefined || isOfAccount(account ?? '', filter.account)) &&
    (filter.code === undefined || codes.includes(filter.code)) &&
    (filter.text === undefined || hasText(request, filter.text))
  );
}

function isOfAccount(account: string, selected: string): boolean {
  const [own, wanted] = [account.toLowerCase(), selected.toLowerCase()];
  const whole = /^"(.*)"$/s.exec(wanted)?.[1];
  return whole === undefined ? own.includes(wanted) : own === whole;
}

function hasText(request: LoggedRequest, text: string): boolean {
  const { path, query, external_account_number: account, codes, faults = [], repetitions } = request;
  const rules = faults.map(({ rule }) => rule);
  const ids = repetitions?.conflicts.map(({ id }) => id) ?? [];
  const { request_body, response_body } = request;
  return [path, query, account, ...codes, ...rules, ...ids, request_body, response_body].some((part) =>
    part?.includes(text),
  );
}

function hasStatus(request: LoggedRequest, selected: string): boolean {
  if (selected === 'fault') return isByFault(request);
  const text = String(request.status ?? 'none');
  return selected.endsWith('xx') ? text.startsWith(selected[0]!) && text.length === 3 : text === selected;
}
