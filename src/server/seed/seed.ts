import type { StatementPeriod } from '../../core/rules/statement-period.ts';
import type { Account } from '../store/accounts.ts';
import type { ApiKey } from '../store/api-keys.ts';
import type { Store } from '../store/store.ts';
import type { Supplier } from '../store/suppliers.ts';
import type { VendorInstruction } from '../store/vendors.ts';
import type { Instant } from '../../core/values/instant.ts';
import type { SeedFile } from './seed-file.ts';

/** What the operator of a platform sets up before a migration; the seed files of one start, together. */
export interface Seed {
  readonly suppliers: readonly Supplier[];
  readonly accounts: readonly Account[];
  readonly apiKeys: readonly ApiKey[];
  readonly vendors: readonly { readonly code: string; readonly instructions: readonly VendorInstruction[] }[];
  /** Empty: every code exists. */
  readonly productCodes: readonly string[];
}

/** The files as one seed; they were checked before. */
export function seedOf(files: readonly SeedFile[]): Seed {
  return {
    suppliers: files.flatMap((file) =>
      file.suppliers.map(({ document_root, ...supplier }) => ({ ...supplier, documentRoot: document_root })),
    ),
    accounts: files.flatMap((file) =>
      file.accounts.map(({ open_statement, ...account }) => ({
        ...account,
        openStatement: open_statement satisfies StatementPeriod | undefined,
      })),
    ),
    apiKeys: files.flatMap((file) =>
      file.api_keys.map(({ key, suppliers }) => ({ key, suppliers: suppliers ?? null })),
    ),
    vendors: files.flatMap((file) =>
      file.vendors.map(({ code, instructions }) => ({
        code,
        instructions: instructions.map(({ reference, type, fails, times }) => ({
          vendor: code,
          reference,
          type,
          fails,
          times: times ?? 0,
        })),
      })),
    ),
    productCodes: files.flatMap((file) => file.product_codes ?? []),
  };
}

/**
 * Puts a seed into the store. Doing it again changes nothing: what is there is brought to what the seed says, records
 * and creation times are kept, and what the seed does not name stays. Has to run in a transaction of the store.
 */
export function applySeed(seed: Seed, store: Store, now: Instant): void {
  for (const supplier of seed.suppliers) store.suppliers.put(supplier);
  for (const account of seed.accounts) store.accounts.put(account, now);
  for (const apiKey of seed.apiKeys) store.apiKeys.put(apiKey);
  for (const vendor of seed.vendors) {
    store.vendors.put(vendor.code);
    for (const instruction of vendor.instructions) store.vendors.putInstruction(instruction);
  }
  store.productCodes.replace(seed.productCodes);
}
