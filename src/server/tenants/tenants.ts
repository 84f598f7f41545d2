import { join } from 'node:path';
import { SENDABLE } from '../../core/sendable-secret.ts';
import { isThisMachine } from '../auth/own-key.ts';
import { callerOfKey, keyIdOf } from '../auth/tokens.ts';
import { NO_FAULTS, type FaultPlan } from '../faults/fault-rule.ts';
import { Refusal, refusal } from '../http/answer.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { ApiKey } from '../store/api-keys.ts';
import { IN_MEMORY } from '../store/database.ts';
import { openHeldStore, type Store } from '../store/store.ts';
import { openTenant, type Tenant, type TenantSettings } from './tenant.ts';
import { sumOf, trafficOf, type Traffic } from './traffic.ts';

export interface Tenants {
  /** The only tenant, or with `--isolate` the tenant of requests that identify no key. */
  readonly root: Tenant;
  /** Whether each API key has a tenant of its own. */
  readonly isolated: boolean;
  /** Whether a key may have a tenant. A server that other machines can reach accepts only listed keys. */
  accepts(key: string): boolean;
  /**
   * The tenant of a key. A tenant has no database before its first write.
   * @throws Refusal 400 for an invalid key and for one that is not accepted
   */
  ofKey(key: string): Tenant;
  /** The tenant of the tokens with this key id; undefined when there is none. */
  ofKeyId(keyId: string): Tenant | undefined;
  /** The tenants that serve requests with a key. */
  inUse(): readonly Tenant[];
  traffic(): Traffic;
  close(): void;
}

/** Most databases that are open at a time, and most tenants without a database. */
export const MOST_TENANTS = 500;

/** How long a database stays open without a request, and how often the server looks for such databases, in milliseconds. */
const IDLE_MS = 10 * 60_000;
const LOOK_MS = 60_000;

/** @throws AppError `database_in_use`, `database_unusable` */
export function openTenants(
  options: Pick<ServerOptions, 'apiKey' | 'database'> & { isolate: boolean; host: string },
  plan: FaultPlan,
  settings: TenantSettings,
): Tenants {
  const { database } = options;
  const apiKeys = (store: Store) => keysOf(options, store);
  if (!options.isolate) return oneTenant(openTenant({ database, plan, apiKeys }, settings));
  // The root tenant issues no tokens and has no faults. Like the tenant of a new key it is new at each start, so it shows
  // what such a tenant begins with.
  const root = openTenant({ database: IN_MEMORY, plan: NO_FAULTS, apiKeys: () => [] }, settings);
  // Opening the database of the server now finds out whether tenants can be stored beside it, and keeps other servers away.
  const base = openHeldStore(database);
  const before = root.platform;
  const accepts = (key: string) =>
    isThisMachine(options.host) || callerOfKey(key, keysOf(options, before.store)) !== undefined;
  const tenants = tenantPerKey({ root, base, accepts, nowMs: settings.nowMs }, ({ key, keyId, makeRoom }) => {
    const own = (store: Store): ApiKey => ({ key, suppliers: suppliersOf(key, keysOf(options, store)) });
    const parts = { database: databaseOfTenant(database, keyId), plan, before, makeRoom };
    return openTenant({ ...parts, apiKeys: (store) => [own(store)] }, settings);
  });
  const looking = setInterval(() => tenants.closeIdle(), LOOK_MS).unref();
  return {
    ...tenants,
    close: () => {
      clearInterval(looking);
      tenants.close();
    },
  };
}

/** The key of the option, then the keys of the seed. */
export function keysOf({ apiKey }: Pick<ServerOptions, 'apiKey'>, store: Store): readonly ApiKey[] {
  return [...(apiKey === undefined ? [] : [{ key: apiKey, suppliers: null }]), ...store.apiKeys.all()];
}

/** An unknown key may use all suppliers, which null means. */
function suppliersOf(key: string, known: readonly ApiKey[]): ApiKey['suppliers'] {
  return known.find((apiKey) => apiKey.key === key)?.suppliers ?? null;
}

function oneTenant(root: Tenant): Tenants {
  return {
    root,
    isolated: false,
    accepts: () => true,
    ofKey: () => root,
    ofKeyId: () => root,
    inUse: () => [root],
    traffic: () => trafficOf([root]),
    close: () => root.close(),
  };
}

type Closable = { close(): void };

interface TenantsOfKeys {
  readonly root: Tenant;
  /** The database beside which the tenants keep theirs. */
  readonly base: Closable;
  readonly accepts: Tenants['accepts'];
  readonly nowMs: () => number;
  /** Default: MOST_TENANTS. */
  readonly most?: number;
}

/** A tenant to be made. It calls `makeRoom` before it opens its database. */
interface NewTenant {
  readonly key: string;
  readonly keyId: string;
  readonly makeRoom: () => void;
}

/** Has one tenant for each key. */
export function tenantPerKey(
  { root, base, accepts, nowMs, most = MOST_TENANTS }: TenantsOfKeys,
  make: (tenant: NewTenant) => Tenant,
): Tenants & { closeIdle(): void } {
  /** The tenant that has not been used for longest comes first. */
  const byKeyId = new Map<string, Tenant>();
  let forgotten: readonly Traffic[] = [];
  const inUse = () => [...byKeyId.values()];
  const used = (keyId: string, tenant: Tenant): Tenant => {
    byKeyId.delete(keyId);
    byKeyId.set(keyId, tenant);
    return tenant;
  };
  const makeRoom = () => {
    const open = inUse().filter((tenant) => tenant.isOpen());
    if (open.length >= most && !open.some((tenant) => tenant.sleep()))
      throw new Refusal(refusal('tenants_exhausted', { limit: most }));
  };
  /** A tenant without a database has nothing to lose but its log. Its client gets another token. */
  const forgetUnused = () => {
    const unused = [...byKeyId].filter(([, tenant]) => !tenant.hasDatabase());
    for (const [keyId, tenant] of unused.slice(0, Math.max(0, unused.length - most))) {
      byKeyId.delete(keyId);
      forgotten = [sumOf([...forgotten, trafficOf([tenant])])];
      tenant.close();
    }
  };
  const closeIdle = () => {
    for (const tenant of byKeyId.values()) tenant.sleep(nowMs() - IDLE_MS);
  };
  return {
    root,
    isolated: true,
    accepts,
    ofKey: (key) => {
      const keyId = keyIdOf(key);
      const known = byKeyId.get(keyId);
      if (known) return used(keyId, known);
      if (!(key.length <= 256 && SENDABLE.test(key))) throw new Refusal(refusal('tenant_key_invalid'));
      if (!accepts(key)) throw new Refusal(refusal('tenant_key_unlisted'));
      closeIdle();
      const tenant = used(keyId, make({ key, keyId, makeRoom }));
      forgetUnused();
      return tenant;
    },
    ofKeyId: (keyId) => {
      const known = byKeyId.get(keyId);
      return known && used(keyId, known);
    },
    inUse,
    traffic: () => sumOf([...forgotten, trafficOf([root, ...inUse()])]),
    closeIdle,
    close: () => closeAll([...byKeyId.values(), root, base]),
  };
}

/** @throws AppError `database_not_whole` of the first that failed, after closing all */
function closeAll(opened: readonly Closable[]): void {
  const failures = opened.flatMap((each) => {
    try {
      each.close();
      return [];
    } catch (error) {
      return [error];
    }
  });
  if (failures.length > 0) throw failures[0];
}

/** Path of a tenant's database, beside the database of the server; `:memory:` when the server's is in memory. */
export function databaseOfTenant(database: string, keyId: string): string {
  return database === IN_MEMORY ? IN_MEMORY : join(`${database}.tenants`, `${keyId}.sqlite`);
}
