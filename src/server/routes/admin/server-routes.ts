import { isJsonObject } from '../../../core/values/plain-json.ts';
import { refusal, Refusal } from '../../http/answer.ts';
import { readPlainJson } from '../../http/body.ts';
import { checkedSeeds, textOfObject } from '../../seed/checked-seeds.ts';
import { seedInvalid } from '../../seed/seed-problem.ts';
import { applySeed, type Seed } from '../../seed/seed.ts';
import type { Call, Route } from '../route.ts';
import { adminRoute } from './admin-route.ts';

/** The server as a whole: its health, and its return to a seed. */
export const serverRoutes: readonly Route[] = [
  // A server that is not ready does not answer, so `ready` is always true.
  adminRoute('GET /_local/health', ({ server: { platform, identity } }) => ({
    ...identity,
    ready: true,
    counts: platform.store.counts(),
    ignored_fields: platform.store.ignoredFields.all(),
  })),

  // Drops all records and the log, goes back to the seed, and gives the database a new identity. Keys, creation times, clock,
  // faults and entries that the seed does not name stay.
  adminRoute('POST /_local/reset', ({ server: { platform, newDatabaseIdentity, reseed, requests } }) => {
    const { store } = platform;
    store.write(() => {
      store.records.drop();
      store.ignoredFields.drop();
      store.vendors.forgetFailures();
      reseed();
      store.databaseIdentity.replace(newDatabaseIdentity());
    });
    requests.clear();
    return { counts: store.counts() };
  }),

  // Adds the entries of a seed. What is there already and is named again becomes as the seed says.
  adminRoute('POST /_local/seed', (call) => {
    const { store, now } = call.server.platform;
    const seed = seedIn(call);
    store.write(() => applySeed(seed, store, now()));
    return { counts: store.counts() };
  }),
];

/** @throws Refusal 400 with the problems of the seed */
function seedIn({ body, server }: Call): Seed {
  const document = readPlainJson(body);
  if (!isJsonObject(document)) throw seedRefusal('the body is not an object');
  if (Object.hasOwn(document, 'behaviour'))
    throw seedRefusal('behaviour: it is decided when the server starts');
  const suppliers = server.platform.store.suppliers.codes();
  const { files, problems } = checkedSeeds([textOfObject(document, 'seed')], { isWhole: true, suppliers });
  if (problems.length > 0) throw seedRefusal(seedInvalid(problems).facts['reason']!);
  return files;
}

const seedRefusal = (reason: string | number): Refusal => new Refusal(refusal('seed_invalid', { reason }));
