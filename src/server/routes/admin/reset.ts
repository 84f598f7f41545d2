import { countsOf } from './health.ts';
import type { Route } from '../route.ts';
import type { ServerContext } from '../server-context.ts';

/** POST /_local/reset: everything is as after the first start with the same seed, but keys, creation times, clock, faults and what the seed does not name stay. */
export function resetRoute({ platform: { store }, reseed, requests }: ServerContext): Route {
  return {
    method: 'POST',
    path: '/_local/reset',
    access: 'loopback',
    answer: () => {
      store.write(() => {
        store.records.drop();
        store.ignoredFields.drop();
        store.vendors.forgetFailures();
        reseed();
      });
      requests.clear();
      return { status: 200, body: { counts: countsOf(store) } };
    },
  };
}
