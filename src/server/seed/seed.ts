import { isUnderWay, planImport } from '../platform/account-lifecycle.ts';
import { listOf, type EnumField } from '../store/setup.ts';
import type { Store } from '../store/store.ts';
import type { Instant } from '../../core/values/instant.ts';
import type { SeedFile } from './seed-file.ts';

/** The setup of a platform before a migration: the seed files of one start, together. */
export type Seed = readonly SeedFile[];

/**
 * Brings the store to the seed. Records, creation times and everything that the seed does not name stay. Applying a seed again takes its
 * accounts back to the states that it names, and counts their planned imports from now. Has to run in a transaction of the store.
 */
export function applySeed(seed: Seed, store: Store, now: Instant): void {
  const suppliers = seed.flatMap((file) => file.suppliers);
  const accounts = seed.flatMap((file) => file.accounts);
  for (const { document_root: documentRoot, ...supplier } of suppliers)
    store.suppliers.put({ ...supplier, documentRoot });
  store.accounts.put(
    accounts.map(({ open_statement: openStatement, ...account }) => ({ ...account, openStatement })),
    now,
  );
  const planOfSupplier = new Map(suppliers.map(({ code, auto_import }) => [code, auto_import]));
  // Most accounts have no plan, and none to drop.
  const hasPlans = store.importSteps.any();
  for (const account of accounts) {
    const plan = isUnderWay(account.state)
      ? (account.auto_import ?? planOfSupplier.get(account.import_supplier))
      : undefined;
    if (hasPlans || plan) planImport(account, plan, { store, now: () => now });
  }
  for (const { key, suppliers: codes = null } of seed.flatMap((file) => file.api_keys))
    store.apiKeys.put({ key, suppliers: codes });
  for (const { code: vendor, instructions } of seed.flatMap((file) => file.vendors)) {
    store.vendors.put(vendor);
    for (const { reference, type, fails = null, times = 0 } of instructions)
      store.vendors.putInstruction({ vendor, reference, type, fails, times });
  }
  // Lists and enums that no file has stay as they are in the database.
  const codes = seed.flatMap(({ product_codes }) => product_codes ?? []);
  if (codes.length > 0) store.closedLists.replace(listOf.productCodes(), codes);
  for (const { code, documents } of suppliers)
    if (documents) store.closedLists.replace(listOf.documents(code), documents);
  const enums = seed.flatMap((file) => file.enums ?? []);
  if (enums.length > 0) store.closedLists.replaceEnums(enums.flatMap(listsOf));
}

function listsOf(enums: NonNullable<SeedFile['enums']>) {
  return Object.entries(enums).flatMap(([field, given]) =>
    Object.entries(Array.isArray(given) ? { every_type: given } : (given ?? {})).map(
      ([type, values]) =>
        [listOf.enumValues(field as EnumField, type === 'every_type' ? '' : type), values ?? []] as const,
    ),
  );
}
