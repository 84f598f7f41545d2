import { NdJson } from '../../http/ndjson.ts';
import type { RequestLog } from '../../http/request-log.ts';
import type { Route } from '../route.ts';
import { queryAs } from './admin-input.ts';
import { requestsQuery } from './admin-schemas.ts';

/** GET /_local/requests: the last requests of the interface, one a line, oldest first. */
export function requestsRoute(requests: RequestLog): Route {
  return {
    method: 'GET',
    path: '/_local/requests',
    access: 'loopback',
    worldless: true,
    answer: (call) => {
      const found = requests.list(queryAs(requestsQuery, call));
      return { status: 200, body: new NdJson(found.map((request) => JSON.stringify(request))) };
    },
  };
}
