import type { Instant } from '../../core/values/instant.ts';
import type { ToleratedForm } from '../../core/rules/tolerated-forms.ts';
import type { LoggedRequest } from './logged-request.ts';

/** Selects requests. A missing property selects all. */
export interface RequestFilter {
  /** One status such as `404`, a class of them such as `4xx`, `none`, or a name in `CAUSES`. */
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

/** How much memory the log takes, in bytes. */
const MOST_BYTES = 64_000_000;

/** The last requests. The oldest bodies are dropped first, and then the oldest requests. */
export function requestLog(most = MOST_BYTES) {
  /** By number, without a gap. */
  const kept = new Map<number, Entry>();
  let lastSeq = 0;
  /** Number of the oldest request whose bodies may still be there. */
  let firstWithBodies = 1;
  let tolerated = NONE_TOLERATED;
  let bytes = 0;
  let count = 0;
  const firstSeq = () => lastSeq - kept.size + 1;
  const put = (seq: number, entry: Entry) => {
    bytes += entry.bytes - (kept.get(seq)?.bytes ?? 0);
    kept.set(seq, entry);
  };
  /** The newest request stays, however large it is. */
  const makeRoom = () => {
    while (bytes > most && kept.size > 1) {
      const first = firstSeq();
      if (firstWithBodies === lastSeq) {
        bytes -= kept.get(first)!.bytes;
        kept.delete(first);
      } else {
        put(firstWithBodies, withoutBodies(kept.get(firstWithBodies)!));
        firstWithBodies += 1;
      }
    }
  };
  const newest = (filter: RequestFilter, before = Infinity, limit = Infinity): readonly LoggedRequest[] => {
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
      const { amount_as_text = 0, other_offset = 0 } = request.tolerated ?? {};
      tolerated = {
        amount_as_text: tolerated.amount_as_text + amount_as_text,
        other_offset: tolerated.other_offset + other_offset,
      };
      lastSeq += 1;
      put(lastSeq, { request: { seq: lastSeq, ...added.request }, bytes: added.bytes });
      makeRoom();
    },
    /** Oldest first. */
    list: (filter: RequestFilter) => newest(filter).toReversed(),
    /** The newest selected requests before a number, newest first. */
    newest,
    /** Undefined when it is no longer in the log. */
    at: (seq: number) => kept.get(seq)?.request,
    clear: () => {
      kept.clear();
      lastSeq = 0;
      firstWithBodies = 1;
      tolerated = NONE_TOLERATED;
      bytes = 0;
    },
    /** Since the start, also what is no longer in the log. */
    count: () => count,
    /** How many values came in each form that the interface does not show, since the start or the last reset. */
    tolerated: () => tolerated,
  };
}

const NONE_TOLERATED: Readonly<Record<ToleratedForm, number>> = { amount_as_text: 0, other_offset: 0 };

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

/** Selections by what made the answer. Each request is one of the first three at most. */
export const CAUSES: Readonly<Record<string, (request: LoggedRequest) => boolean>> = {
  fault: isByFault,
  // GraphQL answers 200 also for errors, so the status does not decide.
  refused: (request) => !isByFault(request) && !isFailed(request) && request.codes.length > 0,
  failed: (request) => !isByFault(request) && isFailed(request),
  tolerated: ({ tolerated }) => tolerated !== undefined,
};

const isFailed = (request: LoggedRequest): boolean => hasStatus(request, '5xx') || request.status === null;

function hasStatus(request: LoggedRequest, selected: string): boolean {
  const cause = CAUSES[selected];
  if (cause) return cause(request);
  const text = String(request.status ?? 'none');
  return selected.endsWith('xx') ? text.startsWith(selected[0]!) && text.length === 3 : text === selected;
}

/** How much of a body the log keeps, in bytes. */
export const KEPT_BODY_BYTES = 1024 * 1024;

/** Most UTF-16 units of any other text, and most items of a list. */
const MOST = { units: 1_024, items: 50 };

/** What a value takes, beside the characters of its texts. */
const VALUE_BYTES = 16;

/**
 * Cuts what a client may send in any length, and names the cut fields in `cut`. Bodies come cut already. Each other value is written and read
 * as JSON, because a part of a text keeps the whole body in memory that it was read from.
 */
export function keptRequest(request: Omit<LoggedRequest, 'seq' | 'cut'>) {
  const { request_body: sent, response_body: answered, request_bytes, response_bytes } = request;
  const cut = new Set<string>();
  let bytes = bytesOf(sent) + bytesOf(answered);
  const fields = Object.entries(request).map(([name, value]) => {
    if (name === 'request_body' || name === 'response_body') return [name, value];
    const text = JSON.stringify(value, (_, part: unknown) => {
      const first = firstPart(part);
      if (first !== part) cut.add(name);
      return first;
    });
    bytes += VALUE_BYTES + 2 * text.length;
    return [name, JSON.parse(text)];
  });
  if (request_bytes > KEPT_BODY_BYTES && sent !== undefined) cut.add('request_body');
  if ((response_bytes ?? 0) > KEPT_BODY_BYTES && answered !== undefined) cut.add('response_body');
  return {
    request: { ...Object.fromEntries(fields), ...(cut.size > 0 && { cut: [...cut] }) } as Omit<
      LoggedRequest,
      'seq'
    >,
    bytes,
  };
}

function firstPart(value: unknown): unknown {
  if (typeof value === 'string' && value.length > MOST.units) return value.slice(0, MOST.units);
  return Array.isArray(value) && value.length > MOST.items ? value.slice(0, MOST.items) : value;
}

/** A text takes one byte a character, or two when one of its characters needs them. Two are counted. */
const bytesOf = (text: string | undefined): number =>
  text === undefined ? 0 : VALUE_BYTES + 2 * text.length;

const OWN_ANSWER: ReadonlySet<string> = new Set(['delay', 'twice']);

/** Whether a fault made the answer, or took it away. After a delay and a second delivery the answer is the platform's own, if the client still waits. */
export function isByFault({ faults = [], status }: Pick<LoggedRequest, 'faults' | 'status'>): boolean {
  return faults.some(({ effect }) => !OWN_ANSWER.has(effect) || status === null);
}
