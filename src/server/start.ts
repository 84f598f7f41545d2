import { randomBytes } from 'node:crypto';
import { AppError } from '../core/app-error.ts';
import { instantOfClock } from '../core/values/instant.ts';
import { buildApp } from './pipeline/dispatch.ts';
import { checkedOptions } from './options/checked-options.ts';
import { heldBy } from './faults/held.ts';
import { NO_FAULTS, planOf } from './faults/plan.ts';
import type { FaultPlan } from './faults/rule.ts';
import { HTTP_LIMITS } from './options/http-limits.ts';
import { listen, urlOf } from './http/listener.ts';
import { builtInSeedFor, requireOwnKey } from './auth/own-key.ts';
import { countsOf, type Counts } from './routes/admin/health.ts';
import { seedOf, type Seed } from './seed/seed.ts';
import { SERVER_DEFAULTS, type FaultOptions, type ServerOptions } from './options/server-options.ts';
import type { ApiKey } from './store/api-keys.ts';
import { IN_MEMORY } from './store/database.ts';
import { openHeldStore } from './store/held-store.ts';
import type { Store } from './store/store.ts';
import { openWorld, type WorldSettings } from './tenants/tenant.ts';
import { databaseOfWorld, oneWorld, worldPerKey, type Worlds } from './tenants/tenants.ts';

export { seedJsonSchema } from './seed/seed-schema.ts';
export type { FaultOptions };

export interface RunningServer {
  /** Base URL for clients, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Another one after each start. */
  readonly instance: string;
  /** All keys that tokens are given for; that of the option `apiKey` first. */
  readonly apiKeys: readonly ApiKey[];
  /** What the platform held at the start. */
  readonly counts: Counts;
  readonly faults: {
    /** The rules of the start, as texts. */
    readonly armed: readonly string[];
    /** What was not hit, as texts: rules that are there now, and those of the start that were taken away. */
    unused(): readonly string[];
  };
  /**
   * Takes no more requests, finishes those that are under way (see `HttpLimits` for how long it waits), makes the
   * database file whole and closes it. May be called again.
   * @throws AppError `database_not_whole` when the file takes no writes any more; what was answered stays in the log
   * beside it
   */
  close(): Promise<void>;
}

/**
 * Starts the local platform: seeds, database, HTTP, in this order, so that a server that listens is ready.
 * @throws AppError `setting_invalid`, `file_not_readable`, `seed_invalid`, `fault_invalid`, `fault_plan_invalid`,
 * `database_in_use`, `database_unusable`, `own_key_missing`, `port_taken`, `port_taken_by_serve`, `address_unavailable`
 */
export async function startServer({ version, crash, ...others }: ServerOptions): Promise<RunningServer> {
  const given = checkedOptions(others);
  const http = { ...HTTP_LIMITS, ...given.http };
  const options = { ...OF_SYSTEM, ...SERVER_DEFAULTS, ...given, http, version, crash };
  const seedFiles = options.seeds.length > 0 ? await seedOfFiles(options.seeds) : undefined;
  const acceptFaults = (plan: FaultPlan) => refuseCrash(plan, crash);
  const faultPlan = acceptFaults(await planOfOptions(options.faults));
  const held = heldBy(options.sleep);
  const settings: WorldSettings = {
    ...options,
    limits: { maxItems: options.maxItems },
    identity: {
      instance: instanceId(options.random()),
      version: options.version,
      database: options.database,
      started_at: instantOfClock(options.nowMs()),
      isolated: options.isolate,
    },
    held,
    acceptFaults,
    seedFor: (store) =>
      seedFiles ?? (store.suppliers.count() === 0 ? seedOf([builtInSeedFor(options.host)]) : undefined),
  };
  const worlds = openWorlds(options, faultPlan, settings);
  try {
    // With a world for each key any key is one's own.
    if (!options.isolate) requireOwnKey(options.host, keysOf(options, worlds.root.store));
    const app = buildApp({ ...options, worlds, held });
    const port = await listen(app.server, options);

    let closed: Promise<void> | undefined;
    return {
      url: urlOf(options.host, port),
      port,
      instance: settings.identity.instance,
      apiKeys: keysOf(options, worlds.root.store),
      counts: countsOf(worlds.root.store),
      faults: { armed: faultPlan.rules.map(({ text }) => text), unused: () => unusedIn(worlds, faultPlan) },
      close: () => (closed ??= app.close().finally(() => worlds.close())),
    };
  } catch (error) {
    worlds.close();
    throw error;
  }
}

/** What a program that starts a server need not bring. The second needs cryptography, which takes 5 ms to load. */
const OF_SYSTEM = {
  random: () => Math.random(), // oxlint-disable-line no-restricted-properties -- the default of a parameter
  randomBytes: (size: number): Uint8Array => randomBytes(size),
};

/** Eight hex digits; they name a start and are no secret. */
function instanceId(chance: number): string {
  return Math.floor(chance * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}

function openWorlds(
  options: Pick<ServerOptions, 'apiKey' | 'database'> & { readonly isolate: boolean },
  plan: FaultPlan,
  settings: WorldSettings,
): Worlds {
  const { database } = options;
  const apiKeys = (store: Store) => keysOf(options, store);
  if (!options.isolate) return oneWorld(openWorld({ database, plan, apiKeys }, settings));
  // That of nobody gives no tokens and has no faults. It is new with each start, as that of a new key is: so it shows what
  // that begins with.
  const root = openWorld({ database: IN_MEMORY, plan: NO_FAULTS, apiKeys: () => [] }, settings);
  // Where a world can keep nothing is found out now, and not by the first who sends something. It stays open, so that the
  // worlds beside it are this server's, too.
  const base = openHeldStore(database);
  return worldPerKey({ root, base }, (key, keyId) => {
    const own = (store: Store): ApiKey => ({ key, suppliers: suppliersOf(key, keysOf(options, store)) });
    const database = databaseOfWorld(options.database, keyId);
    return openWorld({ database, plan, apiKeys: (store) => [own(store)] }, settings);
  });
}

/** That of the option first, then those of the seed. */
function keysOf({ apiKey }: Pick<ServerOptions, 'apiKey'>, store: Store): readonly ApiKey[] {
  return [...(apiKey === undefined ? [] : [{ key: apiKey, suppliers: null }]), ...store.apiKeys.all()];
}

/** Null, which means all, also for a key that nobody has heard of. */
function suppliersOf(key: string, known: readonly ApiKey[]): ApiKey['suppliers'] {
  return known.find((apiKey) => apiKey.key === key)?.suppliers ?? null;
}

/** The rules that were hit in no world, as texts. */
function unusedIn(worlds: Worlds, plan: FaultPlan): readonly string[] {
  const [first, ...others] = worlds.inUse().map(({ faults }) => faults.neverHit());
  if (!first) return plan.rules.map(({ text }) => text);
  return first.filter((rule) => others.every((unused) => unused.includes(rule)));
}

// Files are YAML, and what reads YAML takes as long to load as all of a start without any.

async function seedOfFiles(files: readonly string[]): Promise<Seed> {
  return (await import('./seed/read-seed.ts')).readSeed(files);
}

async function planOfOptions({ file, rules = [], seed }: FaultOptions = {}): Promise<FaultPlan> {
  const fromFile =
    file === undefined ? undefined : (await import('./faults/plan-file.ts')).readPlanFile(file);
  const given = rules.length > 0 ? planOf({ rules }).rules : [];
  return { seed: seed ?? fromFile?.seed ?? 0, rules: [...(fromFile?.rules ?? []), ...given] };
}

/** A server inside another program has no process of its own to end. */
function refuseCrash(plan: FaultPlan, crash: (() => void) | undefined): FaultPlan {
  const rule = plan.rules.find(({ effect }) => effect.kind === 'crash');
  if (rule === undefined || crash) return plan;
  throw new AppError('fault_invalid', {
    rule: `\`${rule.text}\``,
    reason: 'only `dataimport serve` can crash, a platform inside another program cannot',
  });
}
