import { callerOfKey } from '../../auth/tokens.ts';
import { refusal, Refusal } from '../../http/answer.ts';
import type { Route } from '../route.ts';
import { adminRoute } from './admin-route.ts';

/** The server as a whole: its health, its return to the seed, and a token for its page. */
export const serverRoutes: readonly Route[] = [
  // A server that is not ready does not answer, so `ready` is always true.
  adminRoute(
    'GET /_local/health',
    ({ tenant: { platform, server } }) => ({
      ...server.identity,
      ready: true,
      counts: platform.store.counts(),
      ignored_fields: platform.store.ignoredFields.all(),
    }),
    { tenantless: true },
  ),

  // Drops all records and the log, goes back to the seed, and gives the database a new identity. Keys, creation times, clock,
  // faults and entries that the seed does not name stay.
  adminRoute('POST /_local/reset', ({ tenant: { platform, server, reseed, requests } }) => {
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
    return { counts: store.counts() };
  }),

  // A token of the first key, so that the page can send a request again without knowing a key.
  adminRoute('POST /_local/token', ({ tenant: { tokens, apiKeys } }) => {
    const keys = apiKeys();
    const { key } = keys.find(({ suppliers }) => suppliers === null) ?? keys[0] ?? {};
    const caller = key === undefined ? undefined : callerOfKey(key, keys);
    if (!caller) throw new Refusal(refusal('authentication_failed'));
    return { token: tokens.issue(caller).token };
  }),
];
