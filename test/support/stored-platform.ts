import { onTestFinished } from 'vitest';
import { platformOf, type Platform } from '../../src/server/platform/platform.ts';
import type { StoredAccount } from '../../src/server/store/accounts.ts';
import { openStore } from '../../src/server/store/store.ts';
import { ACCOUNT, START } from './server-platform.ts';

/** A platform in memory with one imported account, whose open statement is the year 2026, and without a server. */
export interface StoredPlatform {
  readonly platform: Platform;
  readonly account: StoredAccount;
  readonly clock: { nowMs: number };
  /** Does the work of a request, and stores what it wrote. */
  write<T>(work: () => T): T;
  /** The stored records as `[kind, record]`, in the order of storage. */
  records(): readonly (readonly [string, unknown])[];
}

export function storedPlatform(behaviour: Partial<Platform['behaviour']> = {}): StoredPlatform {
  const store = openStore(':memory:');
  onTestFinished(() => store.close());
  const clock = { nowMs: Date.parse(START) };
  const platform = platformOf({ store, nowMs: () => clock.nowMs, timeZone: 'UTC', behaviour });
  store.suppliers.put({ code: 'ACME', name: 'Acme', status: 'Ongoing', documentRoot: undefined });
  const openStatement = { from: '2026-01-01', to: '2026-12-31' };
  store.accounts.put([{ ...ACCOUNT, state: 'imported', openStatement }], platform.now());
  return {
    platform,
    account: store.accounts.find(ACCOUNT)!,
    clock,
    write: store.write,
    records: () =>
      store.ledger
        .page({ afterSeq: 0, lastSeq: store.ledger.lastSeq() }, ALL)
        .map(({ kind, data }) => [kind, JSON.parse(data)]),
  };
}

const ALL = { kind: null, import_supplier: null, external_account_number: null };
