import { isJsonObject } from '../../../core/values/plain-json.ts';
import { refusal, Refusal, validationFailure, ndJson } from '../../http/answer.ts';
import { readPlainJson } from '../../http/body.ts';
import { checkedSeeds, textOfObject, seedInvalid } from '../../seed/checked-seeds.ts';
import { applySeed, type Seed } from '../../seed/seed.ts';
import type { Call, Route, Method } from '../route.ts';
import { adminRoute, bodyAs, queryAs } from './admin-route.ts';
import {
  supplierChange,
  clockAdvance,
  clockSetting,
  LATEST,
  SECONDS,
  faultsChange,
  newestQuery,
  requestsQuery,
} from './admin-schemas.ts';
import { failure } from '../../../core/problem.ts';
import { clockOfInstant, preciseInstantOfClock } from '../../../core/values/instant.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../../core/app-error.ts';
import { isErrorCode } from '../../../core/error-codes/table.ts';
import type { ActiveFaults } from '../../faults/active-faults.ts';
import { NO_FAULTS, rulesOf, type FaultPlan } from '../../faults/fault-rule.ts';
import { BUILT_IN_SEED } from '../../seed/built-in-seed.ts';
import type { LoggedRequest } from '../../http/logged-request.ts';
import { isByFault } from '../../http/request-log.ts';
import { openApiDocument } from '../../openapi/document.ts';
import { parity, ruleOfProblem } from '../../parity/parity.ts';
import type { Platform } from '../../platform/platform.ts';

/** The routes of the operator of a platform, in the order of docs/serve-reference.md, "Looking inside". */
export const operations: readonly Route[] = [
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

  adminRoute('GET /_local/suppliers', ({ server: { platform } }) => ({
    suppliers: platform.store.suppliers.all(),
  })),
  adminRoute('PUT /_local/suppliers/:code', (call) => {
    const { store } = call.server.platform;
    const { status } = bodyAs(supplierChange, call);
    const { code = '' } = call.segments;
    if (!store.write(() => store.suppliers.setStatus(code, status)))
      throw new Refusal(refusal('supplier_not_found'));
    return { code, status };
  }),

  // Everything that the platform remembers, saved under a name and brought back.
  adminRoute('GET /_local/snapshots', ({ server }) => ({
    snapshots: server.platform.store.snapshots.all(),
  })),
  adminRoute('PUT /_local/snapshots/:name', ({ server, segments }) =>
    server.platform.store.snapshots.save(segments['name']!, server.settings.nowMs()),
  ),
  adminRoute('DELETE /_local/snapshots/:name', ({ server, segments }) => {
    requireSnapshot(server.platform.store.snapshots.delete(segments['name']!));
    return { deleted: true };
  }),
  adminRoute('POST /_local/snapshots/:name/restore', ({ server, segments }) => {
    const { store } = server.platform;
    store.write(() => {
      requireSnapshot(store.snapshots.restore(segments['name']!));
      store.databaseIdentity.replace(server.newDatabaseIdentity());
    });
    return { counts: store.counts() };
  }),

  // Each route answers with the time and mode of the clock afterwards.
  adminRoute('GET /_local/clock', ({ server }) => shownClock(server.clock)),
  clockRoute('freeze', (clock) => clock.freeze()),
  clockRoute('set', (clock, call) => clock.set(bodyAs(clockSetting, call).now)),
  clockRoute('advance', (clock, call) => advanceBy(bodyAs(clockAdvance, call).seconds * 1_000, clock)),
  clockRoute('resume', (clock) => clock.resume()),

  // Each route answers with the faults afterwards.
  faultRoute('GET', () => {}),
  faultRoute('PUT', (faults, call) => faults.replace(planIn(call))),
  faultRoute('POST', (faults, call) => faults.add(planIn(call).rules)),
  faultRoute('DELETE', (faults) => faults.replace(NO_FAULTS)),

  // The figures above the list of requests, each as its filter finds them. A million records take a fifth of a second.
  adminRoute('GET /_local/figures', ({ server: { platform, requests, settings, apiKeys } }) => {
    const since = `${preciseInstantOfClock(settings.nowMs()).slice(0, 10)}T00:00:00.000Z`;
    const countOf = (status?: string) => requests.list({ since, status }).length;
    return {
      since,
      today: {
        requests: countOf(),
        refused: countOf('refused'),
        failed: countOf('failed'),
        by_fault: countOf('fault'),
      },
      tolerated: requests.tolerated(),
      counts: platform.store.counts(),
      // The key of the built-in seed is in the documentation. No other key is shown.
      built_in_key: apiKeys().find(({ key }) => key === BUILT_IN_SEED.api_keys[0].key)?.key ?? null,
    };
  }),

  adminRoute('GET /_local/requests', (call) => {
    const found = call.server.requests.list(queryAs(requestsQuery, call));
    return ndJson(found.values().map((request) => JSON.stringify(request)));
  }),
  adminRoute('GET /_local/requests/newest', (call) => {
    const { before, limit = MOST, ...filter } = queryAs(newestQuery, call);
    const found = call.server.requests.newest(filter, before, Math.min(limit, MOST));
    const next = found.length === Math.min(limit, MOST) ? found.at(-1)!.seq : null;
    return { requests: found.map(summaryOf), next };
  }),
  adminRoute('GET /_local/requests/:seq', ({ server, segments: { seq = '' } }) => {
    const request = /^\d{1,15}$/.test(seq) ? server.requests.at(Number.parseInt(seq, 10)) : undefined;
    if (!request) throw new Refusal(refusal('not_found'));
    return { ...request, by_fault: isByFault(request), problems: explained(request, server.platform) };
  }),

  // Each document is named within an arrow function, so that a start does not load its module.
  adminRoute('GET /_local/openapi.json', ({ server: { identity, platform } }) =>
    openApiDocument(identity.version, platform, platform.behaviour.tokenPath),
  ),
  adminRoute('GET /_local/parity', ({ server }) => parity(server.platform.contract)),
];

/** @throws Refusal 400 with the problems of the seed */
function seedIn({ body, server }: Call): Seed {
  const document = readPlainJson(body);
  if (!isJsonObject(document)) throw seedRefusal('the body is not an object');
  if (Object.hasOwn(document, 'behaviour'))
    throw seedRefusal('behaviour: it is decided when the server starts');
  const suppliers = server.platform.store.suppliers.codes();
  const { files, problems } = checkedSeeds([textOfObject(document, 'seed')], true, suppliers);
  if (problems.length > 0) throw seedRefusal(seedInvalid(problems).facts['reason']!);
  return files;
}

const seedRefusal = (reason: string | number): Refusal => new Refusal(refusal('seed_invalid', { reason }));

function requireSnapshot(isThere: boolean): void {
  if (!isThere) throw new Refusal(refusal('snapshot_not_found'));
}

function clockRoute(action: string, act: (clock: Clock, call: Call) => void): Route {
  return adminRoute(`POST /_local/clock/${action}`, (call) => {
    act(call.server.clock, call);
    return shownClock(call.server.clock);
  });
}

function shownClock(clock: Clock) {
  return { now: preciseInstantOfClock(clock.nowMs()), mode: clock.mode() };
}

/** @throws Refusal 400 for a time after the last year that a date can have */
function advanceBy(byMs: number, clock: Clock): void {
  if (clock.nowMs() + byMs > clockOfInstant(LATEST))
    throw new Refusal(validationFailure([failure('invalid', ['seconds'], { expected: SECONDS })]));
  clock.advance(byMs);
}

function faultRoute(method: Method, act: (faults: ActiveFaults, call: Call) => void): Route {
  return adminRoute(`${method} /_local/faults`, (call) => {
    const { faults } = call.server;
    act(faults, call);
    const report = faults.report();
    const unused = report.rules.filter(({ hits }) => hits === 0).length;
    return { armed: faults.isActive(), ...report, unused };
  });
}

function planIn(call: Call): FaultPlan {
  const { seed = 0, rules } = bodyAs(faultsChange, call);
  try {
    return { seed, rules: rulesOf(rules, call.server.canCrash) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'seed_invalid') throw error;
    throw new Refusal(refusal('seed_invalid', error.facts));
  }
}

const MOST = 200;

/** A request without the parts that only its own page shows. */
function summaryOf(logged: LoggedRequest) {
  const { request_body: _sent, response_body: _answered, problems: _problems, ...request } = logged;
  return { ...request, by_fault: isByFault(logged) };
}

/** The problems of a request, each with the field to look at first, and the rule that it breaks; null when several fit. `known`: to `explain`. */
function explained({ problems = [], endpoint, query }: LoggedRequest, { contract }: Platform) {
  return problems.map((problem) => {
    const { code, next = null } = problem;
    const field = problem.field ?? problem.attr;
    const isParameter = new URLSearchParams(query).has(field);
    const name = isParameter ? '?' : (field.split('.').findLast((part) => !/^\d*$/.test(part)) ?? '');
    return {
      ...problem,
      next,
      field,
      known: isErrorCode(code),
      rule: ruleOfProblem({ code, field: name, endpoint }, contract) ?? null,
    };
  });
}
