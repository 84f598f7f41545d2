import { setTimeout as wait } from 'node:timers/promises';
import { EventStream, NdJson, refusal, Refusal } from '../../http/answer.ts';
import type { LoggedRequest } from '../../http/logged-request.ts';
import type { RequestFilter } from '../../http/request-log.ts';
import { isByFault } from '../../http/request-tally.ts';
import type { LocalServer } from '../../local-server/local-server.ts';
import type { Route } from '../route.ts';
import { queryAs } from './admin-input.ts';
import { eventsQuery, newestQuery, requestsQuery } from './admin-schemas.ts';
import { explained } from './explained-problem.ts';
import { adminRoute } from './admin-route.ts';

/** Most requests in one page, and in one event. */
const MOST = 200;

/** The requests of the interface: all as lines, the newest as pages, one with its problems explained, and live as events. */
export const requestRoutes: readonly Route[] = [
  adminRoute('GET /_local/requests', (call) => {
    const found = call.server.requests.list(queryAs(requestsQuery, call));
    return new NdJson(found.values().map((request) => JSON.stringify(request)));
  }),
  adminRoute('GET /_local/requests/newest', (call) => {
    const { before = Infinity, limit = MOST, ...filter } = queryAs(newestQuery, call);
    const { requests } = call.server;
    const found = requests.newest(filter, { before, after: 0, limit: Math.min(limit, MOST) });
    const next = found.length === Math.min(limit, MOST) ? found.at(-1)!.seq : null;
    const event_id = eventId(call.server, requests.lastSeq());
    return { requests: found.map(summaryOf), next, event_id };
  }),
  adminRoute('GET /_local/requests/events', (call) => {
    const { last_event_id, ...filter } = queryAs(eventsQuery, call);
    const lastId = call.lastEventId ?? last_event_id;
    return new EventStream(eventsOf(call.server, filter, lastId));
  }),
  adminRoute('GET /_local/requests/:seq', ({ server, segments: { seq = '' } }) => {
    const request = /^\d{1,15}$/.test(seq) ? server.requests.at(Number.parseInt(seq, 10)) : undefined;
    if (!request) throw new Refusal(refusal('not_found'));
    const { problems = request.codes.map((code) => ({ code, attr: '', detail: '' })), ...others } = request;
    const about = { endpoint: request.endpoint, body: request.request_body };
    return {
      ...others,
      by_fault: isByFault(request),
      problems: explained(problems, about, server.platform),
    };
  }),
];

/** A request without the parts that only its own page shows. */
function summaryOf(logged: LoggedRequest) {
  const { request_body: _sent, response_body: _answered, problems: _problems, ...request } = logged;
  return { ...request, by_fault: isByFault(logged) };
}

/** A position in the log of one start. A restart and a reset begin to count again. */
function eventId({ identity, requests }: Pick<LocalServer, 'identity' | 'requests'>, seq: number): string {
  return `${identity.instance}.${requests.clearings()}.${seq}`;
}

/** How often the log is looked at, and how long a silent connection stays without a sign of life, in milliseconds. */
const LOOK_MS = 250;
const SILENCE_MS = 15_000;

/**
 * The requests after an event, as they come. Several share one event, so that a page keeps up with a fast client. `restarted`
 * tells the page to load the list anew, because the log has been emptied.
 */
async function* eventsOf(
  server: Pick<LocalServer, 'identity' | 'requests'>,
  filter: RequestFilter,
  lastId: string | undefined,
): AsyncGenerator<string> {
  const { requests } = server;
  let clearings = requests.clearings();
  let after = requests.lastSeq();
  const event = (name: string, data: object) =>
    `id: ${eventId(server, after)}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  const seenSeq = /\.(\d{1,15})$/.exec(lastId ?? '')?.[1];
  const seen = seenSeq === undefined ? undefined : Number.parseInt(seenSeq, 10);
  if (seen !== undefined && lastId === eventId(server, seen)) after = seen;
  else if (lastId !== undefined) yield event('restarted', {});
  // Headers leave with the first bytes only.
  yield ': listening\n\n';
  for (let silentMs = 0; ; silentMs += LOOK_MS) {
    if (requests.clearings() !== clearings) {
      clearings = requests.clearings();
      after = 0;
      yield event('restarted', {});
    }
    const last = requests.lastSeq();
    if (last > after) {
      const found = requests.newest(filter, { before: last + 1, after, limit: MOST });
      after = last;
      silentMs = 0;
      yield event('requests', { requests: found.map(summaryOf), more: found.length === MOST });
    }
    if (silentMs >= SILENCE_MS) {
      silentMs = 0;
      yield ': still here\n\n';
    }
    await wait(LOOK_MS, undefined, { ref: false });
  }
}
