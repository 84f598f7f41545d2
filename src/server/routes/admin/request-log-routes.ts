import { NdJson, refusal, Refusal } from '../../http/answer.ts';
import type { LoggedRequest } from '../../http/logged-request.ts';
import { isByFault } from '../../http/request-tally.ts';
import type { Route } from '../route.ts';
import { queryAs } from './admin-input.ts';
import { newestQuery, requestsQuery } from './admin-schemas.ts';
import { explained } from './explained-problem.ts';
import { adminRoute } from './admin-route.ts';

/** Most requests in one page. */
const MOST = 200;

/** The requests of the interface: all as lines, the newest as pages, and one with its problems explained. */
export const requestRoutes: readonly Route[] = [
  adminRoute('GET /_local/requests', (call) => {
    const found = call.server.requests.list(queryAs(requestsQuery, call));
    return new NdJson(found.values().map((request) => JSON.stringify(request)));
  }),
  adminRoute('GET /_local/requests/newest', (call) => {
    const { before = Infinity, limit = MOST, ...filter } = queryAs(newestQuery, call);
    const found = call.server.requests.newest(filter, { before, limit: Math.min(limit, MOST) });
    const next = found.length === Math.min(limit, MOST) ? found.at(-1)!.seq : null;
    return { requests: found.map(summaryOf), next };
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
