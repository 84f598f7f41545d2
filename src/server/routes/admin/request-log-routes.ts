import { NdJson } from '../../http/answer.ts';
import type { Route } from '../route.ts';
import { queryAs } from './admin-input.ts';
import { requestsQuery } from './admin-schemas.ts';

/** GET /_local/requests: the last requests of the interface, one a line, oldest first. */
export const requestsRoute: Route = {
  method: 'GET',
  path: '/_local/requests',
  access: 'loopback',
  tenantless: true,
  answer: (call) => {
    const found = call.tenant.requests.list(queryAs(requestsQuery, call));
    return { status: 200, body: new NdJson(found.map((request) => JSON.stringify(request))) };
  },
};
