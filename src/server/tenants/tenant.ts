import type { Instant } from '../../core/values/instant.ts';
import { tokensOf } from '../auth/tokens.ts';
import { activeFaults } from '../faults/active-faults.ts';
import { faultPipelineOf } from '../faults/fault-pipeline.ts';
import type { Pending } from '../faults/pending.ts';
import type { FaultPlan } from '../faults/fault-rule.ts';
import { Refusal, refusal } from '../http/answer.ts';
import type { LogSpace } from '../http/log-space.ts';
import { requestLog } from '../http/request-log.ts';
import type { ServedContract } from '../options/served-contract.ts';
import type { ServerOptions } from '../options/server-options.ts';
import { clockOver, type Clock } from '../platform/clock.ts';
import { platformOf, type Platform } from '../platform/platform.ts';
import { applySeed, type Seed } from '../seed/seed.ts';
import { snapshotsBeside } from '../snapshots/snapshots.ts';
import type { ApiKey } from '../store/api-keys.ts';
import { IN_MEMORY, isStored, reasonOf } from '../store/database.ts';
import { newStateFile } from '../store/state-file.ts';
import { openHeldStore, type Store } from '../store/store.ts';

/**
 * One platform with data, clock, tokens, faults, log and snapshots of its own. A server has one tenant, or with `--isolate`
 * one for each API key.
 */
export type Tenant = ReturnType<typeof openTenant>;

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
  /** The platform to read from until the first write, which opens the database. Undefined: the database is opened at once. */
  readonly before?: Platform;
  /** Called before a database is opened. @throws Refusal when too many are */
  readonly makeRoom?: () => void;
}

/** @throws AppError `database_in_use`, `database_unusable` */
export function openTenant(parts: TenantParts, server: TenantSettings) {
  const { database, plan, apiKeys, before } = parts;
  const clock = clockOver(server.nowMs);
  const held = heldDatabase(parts, { ...server, clock });
  if (!before || isStored(database)) held.open();
  const platform = () => held.opened() ?? before!;
  const tokens = tokensOf({
    makeSecret: () => server.randomBytes(32),
    ttlSeconds: server.tokenTtlSeconds,
    nowMs: clock.nowMs,
  });
  const faults = activeFaults(plan);
  const requests = requestLog({ keepsBodies: server.logBodies, space: server.logSpace });
  let inFlight = 0;
  let usedMs = server.nowMs();
  return {
    /** Everything that the tenants of a server share. */
    server,
    /** As long as the tenant has no database, the platform that every tenant begins with. Nothing is written there. */
    get platform() {
      return platform();
    },
    clock,
    tokens,
    faults,
    faultPipeline: faultPipelineOf({
      faults,
      pending: server.pending,
      write: (work) => platform().store.write(work),
      committed: () => platform().store.committed(),
      crash: server.crash ?? (() => {}),
      expireTokens: () => tokens.expireAll(),
      // Clients compare `Retry-After` with the `Date` header, which is real time.
      nowMs: server.nowMs,
    }),
    requests,
    snapshots: snapshotsBeside(database),
    /** A file for a state that arrives, leaves or is restored. @throws Refusal 500 when the disk does not accept it */
    newStateFile: () => {
      try {
        return newStateFile(database);
      } catch (error) {
        throw new Refusal(refusal('state_not_written', { reason: reasonOf(error) }));
      }
    },
    /** The keys that tokens are issued for. */
    apiKeys: () => apiKeys(platform().store),
    /** Names the contents of the database; the identity that it will get while there is none. */
    databaseIdentity: () => held.opened()?.store.databaseIdentity.get() ?? held.identity,
    /** Records that were added since the start, also those that were dropped later. */
    created: held.created,
    /** Brings suppliers, accounts and vendors back to the seed. Has to run in a transaction of the store. */
    reseed: held.reseed,
    /** Opens the database before the first write. @throws AppError `database_in_use`, `database_unusable` */
    open: held.open,
    /** Whether the tenant has a database, open or not. */
    hasDatabase: held.exists,
    /** Whether its database is open. */
    isOpen: () => held.opened() !== undefined,
    /** Opens the database again if it has slept. The returned function ends the request. @throws AppError as `open` */
    beginRequest: () => {
      if (held.exists()) held.open();
      inFlight += 1;
      usedMs = server.nowMs();
      return () => void (inFlight -= 1);
    },
    /** Closes the database until the next request. False in memory, during a request, and after a use since `unusedSinceMs`. */
    sleep: (unusedSinceMs = Infinity) => inFlight === 0 && usedMs <= unusedSinceMs && held.sleep(),
    close: () => {
      requests.close();
      held.close();
    },
  };
}

/** The database of a tenant, opened when it is needed. */
function heldDatabase({ database, makeRoom }: TenantParts, server: TenantSettings & { clock: Clock }) {
  const identity = server.newDatabaseIdentity();
  let opened: Platform | undefined;
  let exists = false;
  let seed: Seed | undefined;
  let createdBefore = 0;
  const reseed = () => {
    if (seed && opened) applySeed(seed, opened.store, opened.now());
  };
  const close = () => {
    const { store } = opened ?? {};
    createdBefore += store?.created() ?? 0;
    opened = undefined;
    store?.close();
  };
  const open = () => {
    if (opened) return;
    makeRoom?.();
    const store = openHeldStore(database);
    try {
      opened = platformOf({ ...server, store, nowMs: server.clock.nowMs });
      if (exists) return;
      seed = server.seedFor(store);
      store.write(() => {
        reseed();
        store.databaseIdentity.give(identity);
      });
      store.commit();
      exists = true;
    } catch (error) {
      close();
      throw error;
    }
  };
  return {
    /** Undefined while the database is closed. */
    opened: () => opened,
    /** The identity that a new database gets. */
    identity,
    open,
    /** Whether the database has been opened before. */
    exists: () => exists,
    created: () => createdBefore + (opened?.store.created() ?? 0),
    reseed,
    /** False when it cannot be opened again with the same content. */
    sleep: () => {
      if (!opened || database === IN_MEMORY) return false;
      close();
      return true;
    },
    close,
  };
}
