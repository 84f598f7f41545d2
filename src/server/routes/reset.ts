import type { Store } from '../store/store.ts';
import { countsOf } from './health.ts';
import type { Route } from './route.ts';

/** POST /_local/reset: everything is as after the first start with the same seed, but the keys and creation times stay. */
export function resetRoute(store: Store, reseed: () => void): Route {
  return {
    method: 'POST',
    path: '/_local/reset',
    access: 'loopback',
    answer: () => {
      store.write(() => {
        store.records.drop();
        store.vendors.forgetFailures();
        reseed();
      });
      return { status: 200, body: { counts: countsOf(store) } };
    },
  };
}
