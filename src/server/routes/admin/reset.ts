import type { Route } from '../route.ts';

/**
 * POST /_local/reset: drops all records and the log, and goes back to the seed. Keys, creation times, clock, faults and
 * entries that the seed does not name stay.
 */
export const resetRoute: Route = {
  method: 'POST',
  path: '/_local/reset',
  access: 'loopback',
  answer: ({ tenant: { platform, reseed, requests } }) => {
    const { store } = platform;
    store.write(() => {
      store.records.drop();
      store.ignoredFields.drop();
      store.vendors.forgetFailures();
      reseed();
    });
    requests.clear();
    return { status: 200, body: { counts: store.counts() } };
  },
};
