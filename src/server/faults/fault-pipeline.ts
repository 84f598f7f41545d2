import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { isRefusal, refusal, Text, textOf, type Answer } from '../http/answer.ts';
import { jsonIn } from '../http/body.ts';
import type { ActiveFaults, Arrival, TakenBy } from './active-faults.ts';
import type { Pending } from './pending.ts';
import { isResource, type Effect, type FaultEndpoint, type FaultRule } from './fault-rule.ts';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import { httpDateOf } from '../../core/values/http-date.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { parseExactJson } from '../../core/values/exact-json.ts';

/** The outcome of a request on the wire. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** A reset at once, without a byte of an answer. */
  | { readonly kind: 'reset' }
  /** A reset after so many bytes of the request. */
  | { readonly kind: 'reset-request'; readonly bytes: number }
  | Cut
  | { readonly kind: 'stall' };

/** The end of the connection after the head of the answer and so many bytes of its body. `close` announces no length. */
export type Cut = Readonly<{ kind: 'cut'; answer: Answer; bytes: number; close: boolean; isReset: boolean }>;

/** The parts of the platform that faults use. */
export interface FaultContext {
  readonly faults: ActiveFaults;
  readonly pending: Pending;
  /** Runs `work` in one transaction and undoes it when it throws. */
  write<T>(work: () => T): T;
  crash(): void;
  expireTokens(): void;
  readonly nowMs: () => number;
}

/** A request whose body is read. */
export interface FaultyRequest {
  readonly endpoint: FaultEndpoint;
  /** With its query. */
  readonly url: string;
  readonly segments: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly takenBy?: TakenBy;
  /** Judges a body and stores its records. */
  handle(body: Uint8Array | undefined): Answer;
}

/** Takes a request past the faults of a platform. */
export function faultPipelineOf({ faults, pending, write, crash, expireTokens, nowMs }: FaultContext) {
  /** The last answer of each endpoint, for `swapped`. */
  const last = new Map<FaultEndpoint, { payload: string; answer: Answer }>();

  /** An effect that is possible in every phase; null when the request goes on. `answer` is null before the commit. */
  function strike(rule: FaultRule, answer: Answer | null): Outcome | null {
    const { bytes } = rule;
    switch (rule.effect) {
      case 'answer':
        return answeredWith(plannedAnswer(rule, { status: 200, nowMs: nowMs() }));
      case 'reset':
        if (bytes === undefined) return { kind: 'reset' };
        return answer
          ? { kind: 'cut', answer, bytes, close: false, isReset: true }
          : { kind: 'reset-request', bytes };
      case 'crash':
        crash();
        return { kind: 'stall' };
      case 'stall':
        return { kind: 'stall' };
      default:
        return null;
    }
  }

  /** An effect after the body is read: the request can also wait, and its token has been accepted already. */
  async function strikeLater(rule: FaultRule, answer: Answer | null): Promise<Outcome | null> {
    if (rule.delay !== undefined) await pending.wait(rule.delay);
    if (!rule['expire-tokens']) return strike(rule, answer);
    expireTokens();
    return answeredWith(refusal('authentication_failed', {}, { 'www-authenticate': 'Token' }));
  }

  /** Judges and stores a request in a transaction, which a rule before the commit undoes. A GET needs none. @throws Refusal */
  function rehearse({ endpoint, handle, body }: FaultyRequest, arrival: Arrival) {
    const rehearsal: { answer?: Answer; rule: FaultRule | null } = { rule: null };
    const run = isResource(endpoint) ? write : <T>(work: () => T): T => work();
    try {
      run(() => {
        const answer = (rehearsal.answer = handle(body));
        if (isRefusal(answer)) return;
        const results = () => resultsIn(answer);
        rehearsal.rule = faults.decide({ ...arrival, stage: 'before-commit', results });
        if (!rehearsal.rule) return;
        // Crash while the transaction is open.
        if (rehearsal.rule.crash) crash();
        throw UNDO;
      });
    } catch (error) {
      if (error !== UNDO) throw error;
    }
    return { answer: rehearsal.answer!, rule: rehearsal.rule };
  }

  /** Judges and stores a request, as far as a fault before the commit allows. @throws Refusal */
  async function store(request: FaultyRequest, arrival: Arrival): Promise<Answer | Outcome> {
    const { endpoint, body, handle } = request;
    const { answer, rule } = rehearse(request, arrival);
    switch (rule?.effect) {
      case undefined:
        return answer;
      case 'prefix':
        handle(withRecords(body!, endpoint, (list) => list.slice(0, rule!.prefix)) ?? body);
        return answeredWith(plannedAnswer(rule!, { status: 500, nowMs: nowMs() }));
      case 'failing': {
        const rest = withRecords(body!, endpoint, (list) => list.slice(0, -1));
        if (rest) handle(rest);
        return withResults(answer, endpoint, 'failing');
      }
      case 'crash':
        return { kind: 'stall' };
      default:
        return (await strikeLater(rule!, null)) ?? handle(body);
    }
  }

  /** The phase after the commit: the answer leaves, or a fault changes it. */
  async function answerPhase(answer: Answer, arrival: Arrival): Promise<Outcome> {
    const { endpoint, payload = '' } = arrival;
    const other = last.get(endpoint);
    const hasOther = other !== undefined && other.payload !== payload;
    const results = () => resultsIn(answer);
    const rule = faults.decide({ ...arrival, stage: 'after-commit', results, hasOther });
    last.set(endpoint, { payload, answer });
    switch (rule?.effect) {
      case undefined:
        return answeredWith(answer);
      case 'truncate':
        return { kind: 'cut', answer, bytes: rule!.truncate!, close: rule!.close ?? false, isReset: false };
      case 'missing':
      case 'doubled':
      case 'reordered':
      case 'extra':
      case 'failing':
        return answeredWith(withResults(answer, endpoint, rule!.effect));
      case 'swapped':
        return answeredWith(other!.answer);
      default:
        return (await strikeLater(rule!, answer)) ?? answeredWith(answer);
    }
  }

  return {
    isActive: faults.isActive,
    /** Before the body is read; null when the request goes on. */
    enter: (endpoint: FaultEndpoint, takenBy?: TakenBy): Outcome | null => {
      const rule = faults.decide({ stage: 'head', endpoint, takenBy });
      if (rule?.['expire-tokens']) expireTokens();
      return rule && strike(rule, null);
    },
    /** From the body to the answer. A refused request reaches no further phase, whether the refusal is thrown or returned. */
    through: async (request: FaultyRequest): Promise<Outcome> => {
      const arrival = arrivalOf(request, faults);
      const rule = faults.decide(arrival);
      if (rule?.late !== undefined) {
        void pending.wait(rule.late).then(() => handleUnseen(request));
        return { kind: 'reset' };
      }
      if (rule?.twice) handleUnseen(request);
      const outcome = rule && (await strikeLater(rule, null));
      if (outcome) return outcome;
      const stored = await store(request, arrival);
      if ('kind' in stored) return stored;
      return isRefusal(stored) ? answeredWith(stored) : answerPhase(stored, arrival);
    },
  };
}

const UNDO = new Error('a fault before the commit');

const answeredWith = (answer: Answer): Outcome => ({ kind: 'answer', answer });

/** Handles a delivery whose answer nobody gets. */
function handleUnseen({ handle, body }: FaultyRequest): void {
  try {
    handle(body);
  } catch {
    // The answer would have been a refusal, or the server has stopped before it came to this delivery.
  }
}

/** A request with its body. Counts that its payload has arrived. */
function arrivalOf(request: FaultyRequest, faults: ActiveFaults): Arrival {
  const { endpoint, url, segments, body, takenBy } = request;
  const { external_account_number: named } = (jsonIn(body) ?? {}) as { external_account_number?: unknown };
  // Without the query of a POST, because a retry with another flag is still a retry.
  const payload = createHash('sha256')
    .update(`${body === undefined ? url : url.split('?')[0]!}\n`)
    .update(body ?? '')
    .digest('hex');
  return {
    stage: 'accept',
    endpoint,
    account: typeof named === 'string' ? named : segments['externalAccountNumber'],
    payload,
    attempt: faults.attemptOf(payload),
    takenBy,
  };
}

/** The code of the platform's own answer with a status, where it has one. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  401: 'authentication_failed',
  403: 'permission_denied',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'throttled',
  500: 'error',
};

/** The answer that a rule describes. Without a `body` it has the platform's own body for the status. */
function plannedAnswer(rule: FaultRule, defaults: { status: number; nowMs: number }): Answer {
  const { status = defaults.status, location, html, empty, body } = rule;
  const { 'retry-after': waitSeconds, 'retry-after-date': dateSeconds } = rule;
  return {
    status,
    headers: {
      ...(status === 401 && { 'www-authenticate': 'Token' }),
      ...(location !== undefined && { location }),
      ...(waitSeconds !== undefined && { 'retry-after': String(waitSeconds) }),
      // Clients compare the date with the `Date` header, so both come from the same clock.
      ...(dateSeconds !== undefined && {
        date: httpDateOf(defaults.nowMs),
        'retry-after': httpDateOf(defaults.nowMs + dateSeconds * 1_000),
      }),
    },
    body: empty
      ? new Text('', null)
      : html
        ? new Text(body ?? htmlPage(status), 'text/html; charset=utf-8')
        : new Text(body ?? jsonBody(status)),
  };
}

function jsonBody(status: number): string {
  const code = CODES[status];
  const body =
    code === undefined ? { detail: phraseOf(status), code: 'error' } : refusal(code, { limit: 0 }).body;
  return JSON.stringify(body);
}

function htmlPage(status: number): string {
  const title = status < 300 ? 'Welcome to this network' : `${status} ${phraseOf(status)}`;
  return `<!DOCTYPE html>\n<html><head><title>${title}</title></head>\n<body><h1>${title}</h1></body></html>\n`;
}

const phraseOf = (status: number): string => STATUS_CODES[status] ?? 'status of a fault';

type ResultChange = Extract<Effect, 'missing' | 'doubled' | 'reordered' | 'extra' | 'failing'>;

type Fields = Readonly<Record<string, unknown>>;

/** How many results an answer contains; 0 without a list. */
function resultsIn(answer: Answer): number {
  return resultsOf(answer)?.list.length ?? 0;
}

/** The answer of an endpoint with changed results. It has at least one. */
function withResults(answer: Answer, endpoint: FaultEndpoint, change: ResultChange): Answer {
  const { list, withList } = resultsOf(answer)!;
  return { ...answer, body: withList(changed(list, endpoint, change)) };
}

function resultsOf(answer: Answer): JsonList | undefined {
  return listIn(
    textOf(answer),
    RESOURCES.map((resource) => DESCRIPTORS[resource].answer.list),
  );
}

/** The body with other records; undefined when it has no list of records, or none is left. */
function withRecords(
  body: Uint8Array,
  endpoint: FaultEndpoint,
  change: (list: readonly Fields[]) => readonly Fields[],
): Uint8Array | undefined {
  const name = isResource(endpoint) ? DESCRIPTORS[endpoint].list : null;
  const records = listIn(Buffer.from(body).toString(), [name]);
  const list = change(records?.list ?? []);
  return list.length === 0 ? undefined : Buffer.from(JSON.stringify(records!.withList(list)));
}

interface JsonList {
  readonly list: readonly Fields[];
  readonly withList: (list: readonly Fields[]) => unknown;
}

/** Finds the list: the document itself, or one of its fields. The JSON is parsed exactly, so digits stay as they are. */
function listIn(text: string, names: readonly (string | null)[]): JsonList | undefined {
  const json = parseExactJson(text);
  if (Array.isArray(json)) return { list: json as readonly Fields[], withList: (list) => list };
  const fields = json as Fields;
  const name = names.find((each) => each !== null && Array.isArray(fields[each]));
  if (name === null || name === undefined) return undefined;
  return { list: fields[name] as readonly Fields[], withList: (list) => ({ ...fields, [name]: list }) };
}

/** A change without a place of its own is about the last result. */
function changed(list: readonly Fields[], endpoint: FaultEndpoint, change: ResultChange): readonly Fields[] {
  const last = list.at(-1)!;
  switch (change) {
    case 'missing':
      return list.slice(0, -1);
    case 'doubled':
      return [...list, last];
    case 'reordered':
      return list.toReversed();
    case 'extra':
      return [...list, strayOf(last, endpoint)];
    case 'failing':
      return isResource(endpoint) ? list.with(-1, failedOf(last, endpoint)) : list;
  }
  return change satisfies never;
}

const STRAY = 'sent-by-nobody';

/** A result for a record that nobody sent, in the form of this one. */
function strayOf(item: Fields, endpoint: FaultEndpoint): Fields {
  if (!isResource(endpoint)) return { ...item, external_account_number: STRAY };
  const { answer, repetition } = DESCRIPTORS[endpoint];
  const stray = { [repetition.field]: STRAY };
  if (answer.record === null) return { ...item, ...stray };
  return { ...item, [answer.record]: { ...(item[answer.record] as Fields), ...stray } };
}

/** deployments.md, "Responses". A resource without a status for failures gets one that is made up likewise. */
function failedOf(item: Fields, resource: Resource): Fields {
  const { kind, answer } = DESCRIPTORS[resource];
  const known = Object.entries(answer.statuses ?? {}).find(([, outcome]) => outcome === 'rejected');
  const status = known?.[0] ?? `${kind.toUpperCase()}_CREATION_ERROR`;
  return { ...item, status, error_detail: 'a fault of the local platform' };
}
