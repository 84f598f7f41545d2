import { isDeepStrictEqual } from 'node:util';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { total } from '../../core/values/counts.ts';
import { clockOfInstant } from '../../core/values/instant.ts';
import { isJsonObject, plainJson, type JsonObject } from '../../core/values/plain-json.ts';
import type { LoggedRequest } from '../../server/start.ts';
import { counted } from '../output/text/text.ts';
import type { ClientRun } from './client-run.ts';
import { carriesRecords, OUTAGE, rulesOf, type Fault } from './fault-kinds.ts';
import type { Reference } from './reference.ts';

/** What a client can do wrong, the worst first, each with what the interface says about it (docs/spec/interface.md). */
export const FINDINGS = {
  lost: {
    title: 'lost',
    authority: 'Only 201, or 200 for statements, says that the records are stored (4.2 to 4.5).',
  },
  twice: {
    title: 'stored twice',
    authority:
      'A transaction that was added earlier is skipped when it comes again with its transaction_id and check_previously_added is true, a note when body and created_at are the same (4.3, 4.2). Send the same record again unchanged.',
  },
  different: {
    title: 'different',
    authority:
      'A record is known by its identifier, so what is sent again has to be what was sent before (4.2, 4.3).',
  },
  overlooked: {
    title: 'overlooked',
    authority:
      'The interface has no failing item in a 201 (4.3), and deployed platforms have one (deployments.md). Look at the status of each item.',
  },
  order: {
    title: 'in another order',
    authority:
      'The interface does not say that the order is kept. A request that was not answered may be stored before or after the next one, so wait for each answer of an account.',
  },
  hung: {
    title: 'did not end',
    authority:
      'The interface has no time-outs (8). An answer may never come, so limit the time and the number of attempts.',
  },
  kept_on: {
    title: 'kept on after a 400',
    authority:
      'A 400 is about the content, and a payment instruction must not be sent again in the same form (4.5, 7). A person has to change something first.',
  },
  hammered: {
    title: 'hammered',
    authority:
      'The interface does not show its limits (8). HTTP says that Retry-After is the least wait (RFC 9110, 10.2.3), and a pause that grows lets a platform recover.',
  },
  gave_up: {
    title: 'gave up',
    authority:
      'Notes and transactions are known when they come again (4.2, 4.3). An instruction is sent again unchanged after a 500 (4.5). A GET stores nothing (4.6 to 4.9). A new token is obtained as the first one was (5).',
  },
} as const;
export type FindingKind = keyof typeof FINDINGS;
export const FINDING_KINDS = Object.keys(FINDINGS) as readonly FindingKind[];

/** Whether the platform has the wrong records after a finding, and nobody knows. */
export const isWrongData = (kind: FindingKind): boolean =>
  kind === 'lost' || kind === 'twice' || kind === 'different';

/** Something that a client did wrong in one run. */
export interface Finding {
  readonly kind: FindingKind;
  readonly says: string;
  readonly shownBy: readonly number[];
}

/**
 * Resends in a row that take less time altogether are without a pause, in milliseconds. Random pauses of up to 250, 500 and
 * 1,000 ms come to less in one of 30,000 runs.
 */
const NO_PAUSE_MS = 30;
/** How much earlier than Retry-After a request may seem to come. */
const CLOCK_MS = 50;

const namedOf = (names: ReadonlySet<string>): string =>
  [...names].slice(0, 3).join(', ') + (names.size > 3 ? ` and ${names.size - 3} more` : '');

/** Everything that a client did wrong in a run. */
export function findingsIn(run: ClientRun, reference: Reference): readonly Finding[] {
  const { fault } = run;
  const trace = traceOf(run, reference);
  const found = [...ledgerFindings(run, reference), ...endedFindings(run), ...keptOn(trace)];
  // The later failures of an outage are answers to the same attempts.
  const failed = trace.find(({ isStruck }) => isStruck);
  if (!fault || !failed) return found;
  // Where threads ask the same, nobody sees which of them comes again.
  const isKnown = failed.contents.length > 0 || !reference.isRepeated(failed.request.path);
  const hasGivenUp = run.ended === 'itself' && run.exitCode !== 0 && isSentAgain(fault);
  return [
    ...found,
    ...(isKnown ? hammered(failed, fault, trace) : []),
    ...(hasGivenUp ? gaveUp(failed, trace, run) : []),
  ];
}

/** What ended a client that did not end by itself. */
function endedFindings({ ended, durationMs, requests }: ClientRun): readonly Finding[] {
  const last = (count: number): readonly number[] => requests.slice(-count).map(({ seq }) => seq);
  const [after, flood] = [`${Math.round(durationMs / 1_000)} s`, `${requests.length} requests`];
  if (ended === 'time') return [{ kind: 'hung', says: `it was ended after ${after}`, shownBy: last(2) }];
  return ended === 'requests'
    ? [{ kind: 'hammered', says: `it was ended after ${flood}`, shownBy: last(4) }]
    : [];
}

function ledgerFindings(run: ClientRun, reference: Reference): readonly Finding[] {
  const differences = Map.groupBy(reference.differences(run.records), ({ kind }) => kind);
  // A client that says that it failed has lost nothing: somebody will look.
  if (run.exitCode !== 0) differences.delete('lost');
  // Only a deployed platform has such an answer, so a client that knows the interface alone is not wrong.
  const lost = run.fault?.kind.name === 'failing_item' ? 'overlooked' : 'lost';
  return [...differences].map(([kind, found]) => {
    const says = {
      lost: `it ended with 0, and the platform lacks ${found.length} of ${reference.records} records`,
      twice: `${counted(found.length, 'record')} too many`,
      different: `${counted(found.length, 'record')} with other content`,
      order: 'not as undisturbed',
    }[kind];
    const names = new Set(found.map(({ name }) => name));
    const accounts = new Set(found.map(({ account }) => account));
    const shownBy = run.requests.filter(
      ({ external_account_number: account, faults, endpoint }) =>
        // A request whose token was refused shows no account.
        faults !== undefined || (carriesRecords(endpoint) && (account === null || accounts.has(account))),
    );
    return {
      kind: kind === 'lost' ? lost : kind,
      says: `${says}: ${namedOf(names)} (account ${namedOf(accounts)})`,
      shownBy: shownBy.map(({ seq }) => seq),
    };
  });
}

/** A request with its time on the clock of the platform, in milliseconds, and its records without what is random. */
interface Sent {
  readonly request: LoggedRequest;
  readonly startMs: number;
  /** Of a client that was killed the second process has the life 2. */
  readonly life: 1 | 2;
  /** Whether the fault of the run took it. */
  readonly isStruck: boolean;
  readonly contents: readonly string[];
}

function traceOf({ requests, fault, restartedAfter }: ClientRun, reference: Reference): readonly Sent[] {
  const rules = rulesOf(fault);
  return requests.map((request) => ({
    request,
    startMs: clockOfInstant(request.at),
    life: request.seq > restartedAfter ? 2 : 1,
    isStruck: request.faults?.some(({ rule }) => rules.includes(rule)) ?? false,
    contents: contentsOf(request, reference),
  }));
}

/** The records of a request, without their account. */
function recordsIn({ endpoint, request_body = '' }: LoggedRequest): readonly JsonObject[] {
  const resource = RESOURCES.find((name) => name === endpoint);
  const body = plainJson(request_body);
  if (resource === undefined || !isJsonObject(body)) return [];
  const { import_supplier: _supplier, external_account_number: _account, ...others } = body;
  const { list } = DESCRIPTORS[resource];
  const records = list === null ? [others] : others[list];
  return (Array.isArray(records) ? records : []).filter(isJsonObject);
}

function contentsOf(request: LoggedRequest, { contentOf }: Reference): readonly string[] {
  const { endpoint, import_supplier: supplier, external_account_number: account } = request;
  return recordsIn(request).map((record) =>
    JSON.stringify([supplier, account, contentOf(DESCRIPTORS[endpoint as Resource].kind, record)]),
  );
}

/** The later requests that carry some of the same records, or that ask the same where there are none. */
function sentAgain({ request, startMs, contents }: Sent, trace: readonly Sent[]): readonly Sent[] {
  return trace.filter(
    (later) =>
      later.request.seq !== request.seq &&
      later.startMs >= startMs &&
      later.request.endpoint === request.endpoint &&
      (contents.length > 0
        ? later.contents.some((content) => contents.includes(content))
        : later.request.path === request.path),
  );
}

/** What the same process sent again. One that died may not have read the answer, and the next one knows nothing of a wait. */
const sentAgainInOneLife = (sent: Sent, trace: readonly Sent[]): readonly Sent[] =>
  sentAgain(sent, trace).filter(({ life }) => life === sent.life);

/** A client may go on with other records after a refusal, and may send those of the batch in smaller ones. */
function keptOn(trace: readonly Sent[]): readonly Finding[] {
  for (const refused of trace) {
    const { request, contents } = refused;
    if (request.status !== 400 || contents.length === 0) continue;
    const same = sentAgainInOneLife(refused, trace).find(
      (later) => later.request.query === request.query && later.contents.join() === contents.join(),
    );
    if (!same) continue;
    const others = recordsIn(same.request);
    const changed = recordsIn(request).flatMap((record, index) =>
      Object.keys(record).filter((name) => !isDeepStrictEqual(record[name], others[index]![name])),
    );
    const how = changed.length === 0 ? 'unchanged' : `with another ${namedOf(new Set(changed))}`;
    const says = `it sent the refused request again, ${how}`;
    return [{ kind: 'kept_on', says, shownBy: [request.seq, same.request.seq] }];
  }
  return [];
}

function hammered(failed: Sent, { kind: { name, rule } }: Fault, trace: readonly Sent[]): readonly Finding[] {
  const found = (says: string, ...sent: readonly Sent[]): readonly Finding[] => [
    { kind: 'hammered', says, shownBy: [failed, ...sent].map(({ request }) => request.seq) },
  ];
  const later = sentAgainInOneLife(failed, trace);
  const [next] = later;
  const asked = Number.parseInt(/retry-after=(\d+)/.exec(rule)?.[1] ?? '0', 10);
  // The client may have read the answer long before a busy platform knows that it is sent.
  const wait = next ? Math.max(0, Math.round(next.startMs - failed.startMs)) : Infinity;
  if (next && wait < asked * 1_000 - CLOCK_MS)
    return found(`it came again after ${wait} ms, although the answer asks for ${asked} s`, next);
  if (name !== 'outage' || later.length < OUTAGE) return [];
  const tries = [failed, ...later.slice(0, OUTAGE)];
  const pauses = tries.slice(1).map(({ startMs }, index) => {
    const before = tries[index]!;
    return Math.max(0, startMs - before.startMs - before.request.duration_ms);
  });
  const paused = total(pauses, (pause) => pause);
  return paused < NO_PAUSE_MS
    ? found(`it came again ${OUTAGE} times, pausing ${Math.round(paused)} ms in all`, ...tries.slice(1))
    : [];
}

/** Whether a client has every reason to send a request again after a fault. */
function isSentAgain({ endpoint, kind: { again, name } }: Fault): boolean {
  if (again === 'never') return false;
  const resource = RESOURCES.find((each) => each === endpoint);
  if (again === 'always' || resource === undefined) return true;
  const { lostAnswer, refusal } = DESCRIPTORS[resource];
  // Records that are known when they come again. The interface itself asks for an instruction again after a 500 (interface.md 4.5).
  return lostAnswer.present === null || (refusal.final !== null && /^(status_500|outage)$/.test(name));
}

function gaveUp(failed: Sent, trace: readonly Sent[], { exitCode }: ClientRun): readonly Finding[] {
  if (sentAgain(failed, trace).length > 0) return [];
  const { endpoint, seq } = failed.request;
  const later = trace.map(({ request }) => request).filter((each) => each.seq > seq);
  // The platform reads no body of a request whose token it refuses.
  const refused = later.filter((each) => each.endpoint === endpoint && each.status === 401);
  const more = ` after ${counted(refused.length, 'more request')} to ${endpoint}, refused with 401`;
  const says = `it ended with ${exitCode ?? 'no exit code'}${refused.length > 0 ? more : ', and the request did not arrive again'}`;
  return [{ kind: 'gave_up', says, shownBy: [seq, ...refused.map((each) => each.seq)] }];
}
