import type { Instant } from '../../core/values/instant.ts';
import { tokensOf, type Tokens } from '../auth/tokens.ts';
import { activeFaults, type ActiveFaults } from '../faults/active-faults.ts';
import { faultPipelineOf, type FaultPipeline } from '../faults/fault-pipeline.ts';
import type { Pending } from '../faults/pending.ts';
import type { FaultPlan } from '../faults/fault-rule.ts';
import { Refusal, refusal } from '../http/answer.ts';
import type { LogSpace } from '../http/log-space.ts';
import { requestLog, type RequestLog } from '../http/request-log.ts';
import type { ServedContract } from '../options/served-contract.ts';
import type { ServerOptions } from '../options/server-options.ts';
import { clockOver, type Clock } from '../platform/clock.ts';
import { platformOf, type Platform } from '../platform/platform.ts';
import { applySeed, type Seed } from '../seed/seed.ts';
import { snapshotsBeside, type Snapshots } from '../snapshots/snapshots.ts';
import type { ApiKey } from '../store/api-keys.ts';
import { reasonOf } from '../store/database.ts';
import { newStateFile, type StateFile } from '../store/state-file.ts';
import { openHeldStore, type Store } from '../store/store.ts';

/**
 * One platform with data, clock, tokens, faults, log and snapshots of its own. A server has one tenant, or with `--isolate`
 * one for each API key.
 */
export interface Tenant {
  /** Everything that the tenants of a server share. */
  readonly server: TenantSettings;
  readonly platform: Platform;
  readonly clock: Clock;
  readonly tokens: Tokens;
  readonly faults: ActiveFaults;
  readonly faultPipeline: FaultPipeline;
  readonly requests: RequestLog;
  readonly snapshots: Snapshots;
  /** A file for a state that arrives, leaves or is restored. @throws Refusal 500 when the disk does not accept it */
  newStateFile(): StateFile;
  /** The keys that tokens are issued for. */
  apiKeys(): readonly ApiKey[];
  /** Brings suppliers, accounts and vendors back to the seed. Has to run in a transaction of the store. */
  reseed(): void;
  close(): void;
}

/** The facts about the server in `GET /_local/health`. */
export interface Identity {
  /** A new one for each start. */
  readonly instance: string;
  /** Of the program. */
  readonly version: string;
  readonly database: string;
  readonly started_at: Instant;
  /** Whether each API key has a tenant of its own. */
  readonly isolated: boolean;
}

/** The settings that the tenants of a server share. */
export interface TenantSettings extends Required<
  Pick<
    ServerOptions,
    'timeZone' | 'behaviour' | 'tokenTtlSeconds' | 'randomBytes' | 'nowMs' | 'maxItems' | 'logBodies'
  >
> {
  readonly identity: Identity;
  /** Makes an identity for a database, which is no secret. */
  readonly newDatabaseIdentity: () => string;
  readonly served: ServedContract | undefined;
  readonly crash: ServerOptions['crash'];
  /** The seed of a store, applied at the start and by each reset; undefined leaves the store as it is. */
  readonly seedFor: (store: Store) => Seed | undefined;
  readonly pending: Pending;
  readonly logSpace: LogSpace;
  /**
   * Returns a plan that this server can carry out.
   * @throws AppError `fault_invalid`
   */
  readonly acceptFaults: (plan: FaultPlan) => FaultPlan;
}

/** The parts in which the tenants of a server differ. */
export interface TenantParts {
  /** Path of the database, or `:memory:`. */
  readonly database: string;
  /** The faults that the tenant starts with. */
  readonly plan: FaultPlan;
  readonly apiKeys: (store: Store) => readonly ApiKey[];
}

/** @throws AppError `database_in_use`, `database_unusable` */
export function openTenant({ database, plan, apiKeys }: TenantParts, server: TenantSettings): Tenant {
  const store = openHeldStore(database);
  try {
    const clock = clockOver(server.nowMs);
    const platform = platformOf({ ...server, store, nowMs: clock.nowMs });
    const seed = server.seedFor(store);
    const reseed = () => {
      if (seed) applySeed(seed, store, platform.now());
    };
    store.write(() => {
      reseed();
      store.databaseIdentity.give(server.newDatabaseIdentity());
    });
    store.commit();

    const tokens = tokensOf({
      makeSecret: () => server.randomBytes(32),
      ttlSeconds: server.tokenTtlSeconds,
      nowMs: clock.nowMs,
    });
    const faults = activeFaults(plan);
    const requests = requestLog({ keepsBodies: server.logBodies, space: server.logSpace });
    const faultPipeline = faultPipelineOf({
      faults,
      pending: server.pending,
      write: store.write,
      committed: store.committed,
      crash: server.crash ?? (() => {}),
      expireTokens: () => tokens.expireAll(),
      // Clients compare `Retry-After` with the `Date` header, which is real time.
      nowMs: server.nowMs,
    });
    return {
      server,
      platform,
      clock,
      tokens,
      faults,
      faultPipeline,
      requests,
      snapshots: snapshotsBeside(database),
      newStateFile: () => {
        try {
          return newStateFile(database);
        } catch (error) {
          throw new Refusal(refusal('state_not_written', { reason: reasonOf(error) }));
        }
      },
      apiKeys: () => apiKeys(store),
      reseed,
      close: () => {
        requests.close();
        store.close();
      },
    };
  } catch (error) {
    store.close();
    throw error;
  }
}
