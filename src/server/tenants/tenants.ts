import { join } from 'node:path';
import { SENDABLE } from '../../core/sendable-secret.ts';
import { keyIdOf } from '../auth/tokens.ts';
import { NO_FAULTS, type FaultPlan } from '../faults/fault-rule.ts';
import { Refusal, refusal } from '../http/answer.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { ApiKey } from '../store/api-keys.ts';
import { IN_MEMORY } from '../store/database.ts';
import { openHeldStore, type Store } from '../store/store.ts';
import { openTenant, type Tenant, type TenantSettings } from './tenant.ts';

export interface Tenants {
  /** The only tenant, or with `--isolate` the tenant of requests that identify no key. */
  readonly root: Tenant;
  /** Whether each API key has a tenant of its own. */
  readonly isolated: boolean;
  /**
   * The tenant of a key. The first use of a key opens its tenant.
   * @throws Refusal 400 for an invalid key, or when there are too many tenants
   */
  ofKey(key: string): Tenant;
  /** The tenant of the tokens with this key id; undefined when there is none. */
  ofKeyId(keyId: string): Tenant | undefined;
  /** The tenants that serve requests with a key. */
  inUse(): readonly Tenant[];
  close(): void;
}

/** Most tenants at a time, because each holds a database open. */
export const MOST_TENANTS = 500;

/** @throws AppError `database_in_use`, `database_unusable` */
export function openTenants(
  options: Pick<ServerOptions, 'apiKey' | 'database'> & { readonly isolate: boolean },
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
  return tenantPerKey({ root, base }, (key, keyId) => {
    const own = (store: Store): ApiKey => ({ key, suppliers: suppliersOf(key, keysOf(options, store)) });
    return openTenant(
      { database: databaseOfTenant(database, keyId), plan, apiKeys: (store) => [own(store)] },
      settings,
    );
  });
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
    ofKey: () => root,
    ofKeyId: () => root,
    inUse: () => [root],
    close: () => root.close(),
  };
}

type Closable = { close(): void };

/** Opens one tenant for each key. `base` is the database beside which the tenants keep theirs. */
export function tenantPerKey(
  { root, base }: { root: Tenant; base: Closable },
  open: (key: string, keyId: string) => Tenant,
): Tenants {
  const byKeyId = new Map<string, Tenant>();
  return {
    root,
    isolated: true,
    ofKey: (key) => {
      const keyId = keyIdOf(key);
      const known = byKeyId.get(keyId);
      if (known) return known;
      if (!(key.length <= 256 && SENDABLE.test(key))) throw new Refusal(refusal('world_key_invalid'));
      if (byKeyId.size >= MOST_TENANTS)
        throw new Refusal(refusal('worlds_exhausted', { limit: MOST_TENANTS }));
      const tenant = open(key, keyId);
      byKeyId.set(keyId, tenant);
      return tenant;
    },
    ofKeyId: (keyId) => byKeyId.get(keyId),
    inUse: () => [...byKeyId.values()],
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
  return database === IN_MEMORY ? IN_MEMORY : join(`${database}.worlds`, `${keyId}.sqlite`);
}
