import type { StatementPeriod } from '../../core/contract/period-move.ts';
import { isUnderWay, planImport, type AutoImport } from '../platform/account-lifecycle.ts';
import type { Account } from '../store/accounts.ts';
import type { ApiKey } from '../store/api-keys.ts';
import type { EnumField, EnumValue } from '../store/enum-values.ts';
import type { Store } from '../store/store.ts';
import type { Supplier } from '../store/suppliers.ts';
import type { VendorInstruction } from '../store/vendors.ts';
import type { Instant } from '../../core/values/instant.ts';
import type { SeedFile } from './seed-file.ts';

/** The setup of a platform before a migration: the seed files of one start, together. */
export interface Seed {
  readonly suppliers: readonly Supplier[];
  readonly accounts: readonly SeededAccount[];
  readonly apiKeys: readonly ApiKey[];
  readonly vendors: readonly { readonly code: string; readonly instructions: readonly VendorInstruction[] }[];
  /** Undefined: the codes of the database stay; a new one has none, and then every code exists. */
  readonly productCodes: readonly string[] | undefined;
  /** The documents in the file stores of the suppliers that name them. Without any, every document exists. */
  readonly documents: readonly { readonly supplier: string; readonly paths: readonly string[] }[];
  /** A field without values is open. Undefined: the values of the database stay. */
  readonly enumValues: readonly EnumValue[] | undefined;
}

/** An account and the import that the clock carries out. */
export type SeededAccount = Account & { readonly autoImport: AutoImport | undefined };

export function seedOf(files: readonly SeedFile[]): Seed {
  const planOfSupplier = new Map(
    files.flatMap((file) => file.suppliers.map(({ code, auto_import }) => [code, auto_import] as const)),
  );
  return {
    suppliers: files.flatMap((file) =>
      file.suppliers.map(({ code, name, status, document_root }) => ({
        code,
        name,
        status,
        documentRoot: document_root,
      })),
    ),
    accounts: files.flatMap((file) =>
      file.accounts.map(({ open_statement, auto_import, ...account }) => ({
        ...account,
        openStatement: open_statement satisfies StatementPeriod | undefined,
        autoImport: isUnderWay(account.state)
          ? autoImportOf(auto_import ?? planOfSupplier.get(account.import_supplier))
          : undefined,
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
    productCodes: listOf(files, ({ product_codes }) => product_codes),
    documents: files.flatMap((file) =>
      file.suppliers.flatMap(({ code, documents: paths }) => (paths ? [{ supplier: code, paths }] : [])),
    ),
    enumValues: listOf(files, ({ enums }) => enums && enumValuesOf(enums)),
  };
}

/** The list of all files together; undefined when no file has it. */
function listOf<T>(
  files: readonly SeedFile[],
  list: (file: SeedFile) => readonly T[] | undefined,
): readonly T[] | undefined {
  const lists = files.flatMap((file) => {
    const found = list(file);
    return found ? [found] : [];
  });
  return lists.length === 0 ? undefined : lists.flat();
}

function autoImportOf(plan: SeedFile['accounts'][number]['auto_import']): AutoImport | undefined {
  return (
    plan && {
      inProgressAfterSeconds: plan.in_progress_after_seconds,
      afterSeconds: plan.after_seconds,
      ends: plan.ends,
    }
  );
}

function enumValuesOf(enums: NonNullable<SeedFile['enums']>): readonly EnumValue[] {
  return Object.entries(enums).flatMap(([field, given]) =>
    Object.entries(Array.isArray(given) ? { every_type: given } : (given ?? {})).flatMap(([type, values]) =>
      (values ?? []).map((value) => ({
        field: field as EnumField,
        transactionType: type === 'every_type' ? '' : type,
        value,
      })),
    ),
  );
}

/**
 * Brings the store to the seed. Records, creation times and everything that the seed does not name stay. Applying a seed again takes its
 * accounts back to the states that it names, and counts their planned imports from now. Has to run in a transaction of the store.
 */
export function applySeed(seed: Seed, store: Store, now: Instant): void {
  for (const supplier of seed.suppliers) store.suppliers.put(supplier);
  store.accounts.put(seed.accounts, now);
  // Most accounts have no plan, and none to drop.
  const hasPlans = store.importSteps.any();
  for (const { autoImport, ...account } of seed.accounts)
    if (hasPlans || autoImport) planImport(account, autoImport, { store, now: () => now });
  for (const apiKey of seed.apiKeys) store.apiKeys.put(apiKey);
  for (const vendor of seed.vendors) {
    store.vendors.put(vendor.code);
    for (const instruction of vendor.instructions) store.vendors.putInstruction(instruction);
  }
  if (seed.productCodes) store.productCodes.replace(seed.productCodes);
  for (const { supplier, paths } of seed.documents) store.documents.replace(supplier, paths);
  if (seed.enumValues) store.enumValues.replace(seed.enumValues);
}
