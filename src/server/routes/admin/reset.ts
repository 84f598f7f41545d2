import type { Route } from '../route.ts';

/**
 * POST /_local/reset: drops all records and the log, goes back to the seed, and gives the database a new identity. Keys, creation
 * times, clock, faults and entries that the seed does not name stay.
 */
export const resetRoute: Route = {
  method: 'POST',
  path: '/_local/reset',
  access: 'loopback',
  answer: ({ tenant: { platform, server, reseed, requests } }) => {
    const { store } = platform;
    store.write(() => {
      store.records.drop();
      store.ignoredFields.drop();
      store.vendors.forgetFailures();
      reseed();
      store.databaseIdentity.replace(server.newDatabaseIdentity());
    });
    // Other requests are answered meanwhile, and must not name an identity that is not on disk.
    store.commit();
    requests.clear();
    return { status: 200, body: { counts: store.counts() } };
  },
};
