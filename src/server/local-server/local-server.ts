import type { Instant } from '../../core/values/instant.ts';
import { tokensOf } from '../auth/tokens.ts';
import { activeFaults } from '../faults/active-faults.ts';
import { faultPipelineOf } from '../faults/fault-pipeline.ts';
import type { Pending } from '../faults/pending.ts';
import type { FaultPlan } from '../faults/fault-rule.ts';
import { requestLog } from '../http/request-log.ts';
import type { ServedContract } from '../options/served-contract.ts';
import type { ServerOptions } from '../options/server-options.ts';
import { clockOver } from '../platform/clock.ts';
import { platformOf } from '../platform/platform.ts';
import { applySeed, type Seed } from '../seed/seed.ts';
import type { ApiKey } from '../store/setup.ts';
import { openStore, type Store } from '../store/store.ts';

/** Everything behind the HTTP server: the platform with its data, its clock, tokens, faults and log of requests. */
export type LocalServer = ReturnType<typeof openLocalServer>;

/** The facts about the server in `GET /_local/health`. */
export interface Identity {
  /** A new one for each start. */
  readonly instance: string;
  /** Of the program. */
  readonly version: string;
  readonly database: string;
  readonly started_at: Instant;
}

/** Counts of the requests of the interface, and of the hits of fault rules. */
export type Traffic = { readonly requests: number; readonly faults: number };

interface LocalServerSettings extends Required<
  Pick<ServerOptions, 'database' | 'timeZone' | 'behaviour' | 'tokenTtlSeconds' | 'nowMs' | 'maxItems'>
> {
  readonly identity: Identity;
  readonly apiKey: string | undefined;
  /** Makes an identity for a database, which is no secret. */
  readonly newDatabaseIdentity: () => string;
  readonly served: ServedContract | undefined;
  readonly crash: ServerOptions['crash'];
  /** The seed of a store, applied at the start and by each reset; undefined leaves the store as it is. */
  readonly seedFor: (store: Store) => Seed | undefined;
  readonly pending: Pending;
  /** The faults of the start. */
  readonly plan: FaultPlan;
  /**
   * Returns a plan that this server can carry out.
   * @throws AppError `fault_invalid`
   */
  readonly acceptFaults: (plan: FaultPlan) => FaultPlan;
}

/** @throws AppError `database_linked`, `database_unusable` */
export function openLocalServer(settings: LocalServerSettings) {
  const { database, identity, maxItems, newDatabaseIdentity, acceptFaults, nowMs } = settings;
  const clock = clockOver(nowMs);
  const store = openStore(database);
  const { platform, reseed } = closedOnError(store, () => {
    const opened = platformOf({ ...settings, store, nowMs: clock.nowMs });
    const seed = settings.seedFor(store);
    const applied = () => {
      if (seed) applySeed(seed, store, opened.now());
    };
    store.write(() => {
      applied();
      store.databaseIdentity.give(newDatabaseIdentity());
    });
    return { platform: opened, reseed: applied };
  });
  const tokens = tokensOf({
    ttlSeconds: settings.tokenTtlSeconds,
    nowMs: clock.nowMs,
  });
  const faults = activeFaults(settings.plan);
  const requests = requestLog();
  return {
    identity,
    maxItems,
    newDatabaseIdentity,
    acceptFaults,
    platform,
    clock,
    tokens,
    faults,
    faultPipeline: faultPipelineOf({
      faults,
      pending: settings.pending,
      write: (work) => store.write(work),
      crash: settings.crash ?? (() => {}),
      expireTokens: () => tokens.expireAll(),
      // Clients compare `Retry-After` with the `Date` header, which is real time.
      nowMs,
    }),
    requests,
    /** The clock of the machine. */
    nowMs,
    /** The keys that tokens are issued for: the key of the option, then the keys of the seed. */
    apiKeys: (): readonly ApiKey[] => [
      ...(settings.apiKey === undefined ? [] : [{ key: settings.apiKey, suppliers: null }]),
      ...store.apiKeys.all(),
    ],
    /** Brings suppliers, accounts and vendors back to the seed. Has to run in a transaction of the store. */
    reseed,
    /** Since the start. */
    traffic: (): Traffic => ({ requests: requests.count(), faults: faults.hits() }),
    close: () => store.close(),
  };
}

function closedOnError<T>(store: Store, work: () => T): T {
  try {
    return work();
  } catch (error) {
    store.close();
    throw error;
  }
}
