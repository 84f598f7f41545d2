import { randomBytes } from 'node:crypto';
import { instantOfClock } from '../../core/values/instant.ts';
import { builtInSeedFor, requireOwnKey } from '../auth/own-key.ts';
import { tokensOf } from '../auth/tokens.ts';
import { activeFaults } from '../faults/active-faults.ts';
import { faultPipelineOf } from '../faults/fault-pipeline.ts';
import type { FaultPlan } from '../faults/fault-rule.ts';
import type { Pending, pendingOf } from '../faults/pending.ts';
import { requestLog } from '../http/request-log.ts';
import type { Behaviour } from '../options/behaviour.ts';
import type { HttpLimits } from '../options/http-limits.ts';
import type { ServedContract } from '../options/served-contract.ts';
import type { PlatformOptions } from '../options/server-options.ts';
import { clockOver } from '../platform/clock.ts';
import { platformOf } from '../platform/platform.ts';
import { applySeed, type Seed } from '../seed/seed.ts';
import type { ApiKey } from '../store/setup.ts';
import { openStore } from '../store/store.ts';

/** Everything behind the HTTP server: the platform with its data, its clock, tokens, faults and log of requests. */
export type LocalServer = ReturnType<typeof openLocalServer>;

/** How a local platform is started by this program. */
export interface ServerOptions extends PlatformOptions {
  readonly version: string;
  readonly http?: Partial<HttpLimits>;
  /** Ends the process as a power cut does. Default: a fault rule with `crash` is refused. */
  readonly crash?: () => void;
  /** Waits for a fault. Default: real time. */
  readonly sleep?: Parameters<typeof pendingOf>[0];
}

type Defaulted = Required<
  Pick<PlatformOptions, 'host' | 'database' | 'timeZone' | 'nowMs' | 'onUnexpectedError'>
>;

/** The options of a start with their defaults, and the contents of its files. */
export interface Settings extends Defaulted, Pick<ServerOptions, 'version' | 'apiKey' | 'crash'> {
  readonly behaviour: Behaviour;
  readonly http: HttpLimits;
  readonly served: ServedContract | undefined;
  /** Undefined for the built-in seed of an empty database. */
  readonly seed: Seed | undefined;
  readonly pending: Pending;
  readonly plan: FaultPlan;
}

/** @throws AppError `database_unusable` */
export function openLocalServer(settings: Settings) {
  const { host, database, version, nowMs, apiKey, crash } = settings;
  const clock = clockOver(nowMs);
  const store = openStore(database);
  const platform = platformOf({ ...settings, store, nowMs: clock.nowMs });
  const seed = settings.seed ?? (store.suppliers.count() === 0 ? [builtInSeedFor(host)] : []);
  const newDatabaseIdentity = () => hexDigits(8);
  /** Brings suppliers, accounts and vendors back to the seed. Has to run in a transaction of the store. */
  const reseed = () => applySeed(seed, store, platform.now());
  /** The keys that tokens are issued for: the key of the option, then the keys of the seed. */
  const apiKeys = (): readonly ApiKey[] => [
    ...(apiKey === undefined ? [] : [{ key: apiKey, suppliers: null }]),
    ...store.apiKeys.all(),
  ];
  const tokens = tokensOf({ ttlSeconds: settings.behaviour.tokenTtlSeconds, nowMs: clock.nowMs });
  const faults = activeFaults(settings.plan);
  const requests = requestLog();
  return {
    /** The facts about the server in `GET /_local/health`. Each start has another `instance`. */
    identity: { instance: hexDigits(4), version, database, started_at: instantOfClock(nowMs()) },
    settings,
    newDatabaseIdentity,
    canCrash: crash !== undefined,
    platform,
    clock,
    tokens,
    faults,
    faultPipeline: faultPipelineOf({
      faults,
      pending: settings.pending,
      write: (work) => store.write(work),
      crash: crash ?? (() => {}),
      expireTokens: () => tokens.expireAll(),
      // Clients compare `Retry-After` with the `Date` header, which is real time.
      nowMs,
    }),
    requests,
    apiKeys,
    reseed,
    /** Brings the database to the seed. @throws AppError `address_unavailable` */
    begin: () => {
      store.write(() => {
        reseed();
        store.databaseIdentity.give(newDatabaseIdentity());
      });
      requireOwnKey(host, apiKeys());
    },
    /** Counts of the requests of the interface, and of the hits of fault rules, since the start. */
    traffic: () => ({ requests: requests.count(), faults: faults.hits() }),
    close: () => store.close(),
  };
}

/** Hex digits that identify a start or a database. They are no secret. */
const hexDigits = (bytes: number): string => randomBytes(bytes).toString('hex');
