import type { Database } from 'better-sqlite3';
import type { Resource } from '../../core/contract/resources.ts';
import type { SupplierStatus } from '../../core/rules/supplier-status.ts';
import type { NamedValues } from './named-values.ts';

/** An import supplier, as the operator of the platform set it up. */
export interface Supplier {
  readonly code: string;
  readonly name: string;
  readonly status: SupplierStatus;
  /** Root of the document paths that clients send (interface.md 2.2). */
  readonly documentRoot: string | undefined;
}

export function suppliersIn(setup: NamedValues, database: Database) {
  const suppliers = setup.of<Supplier>('supplier');
  const accountsOf = database
    .prepare<[string], number>('SELECT count(*) FROM accounts WHERE import_supplier = ?')
    .pluck();
  return {
    put: (supplier: Supplier) => suppliers.put(supplier.code, supplier),
    /** Undefined when there is no such supplier. */
    statusOf: (code: string) => suppliers.get(code)?.status,
    /** Root of the document paths of a supplier; undefined when it has none. */
    rootOf: (code: string) => suppliers.get(code)?.documentRoot,
    /** Returns whether there is such a supplier. */
    setStatus: (code: string, status: SupplierStatus) => {
      const supplier = suppliers.get(code);
      if (supplier) suppliers.put(code, { ...supplier, status });
      return supplier !== undefined;
    },
    /** As the admin API shows them: by code, each with the number of its accounts. */
    all: () =>
      suppliers.all().map(({ code, name, status, documentRoot: document_root = null }) => {
        return { code, name, status, document_root, accounts: accountsOf.get(code)! };
      }),
    codes: () => suppliers.all().map(({ code }) => code),
    count: suppliers.count,
  };
}

/** The ways in which asking the vendor for an instruction fails. */
export const VENDOR_FAILURES = ['persistent', 'intermittent'] as const;

export interface VendorInstruction {
  readonly vendor: string;
  readonly reference: string;
  readonly type: string;
  /** Null when asking for it never fails. */
  readonly fails: (typeof VENDOR_FAILURES)[number] | null;
  /** How often an intermittent failure occurs for each account before it succeeds. */
  readonly times: number;
}

export function vendorsIn(setup: NamedValues) {
  const vendors = setup.of<string>('vendor');
  const instructions = setup.of<VendorInstruction>('instruction');
  /** How often an intermittent vendor has failed so far. */
  const failures = setup.of<number>('failure');
  return {
    put: (code: string) => vendors.put(code, code),
    putInstruction: (given: VendorInstruction) =>
      instructions.put(JSON.stringify([given.vendor, given.reference]), given),
    has: (code: string) => vendors.get(code) !== undefined,
    instruction: (vendor: string, reference: string) => instructions.get(JSON.stringify([vendor, reference])),
    /** Counts one more failure and returns true, unless the instruction has failed `times` times for the account. */
    countFailure: (accountId: number, { vendor, reference, times }: VendorInstruction) => {
      const name = JSON.stringify([accountId, vendor, reference]);
      const before = failures.get(name) ?? 0;
      if (before < times) failures.put(name, before + 1);
      return before < times;
    },
    forgetFailures: () => setup.drop('failure'),
    codes: vendors.all,
  };
}

/** The open enums of the interface, by their names in a seed. */
export type EnumField =
  | 'reason'
  | 'payment_type'
  | 'rate_band'
  | 'tax_type'
  | 'unit_type'
  | 'instruction_type';

/** The names of lists. `type`: of the transactions that may have the values; empty for all of them. */
export const listOf = {
  productCodes: () => 'list product_code',
  documents: (supplier: string) => `list document ${supplier}`,
  enumValues: (field: EnumField, type: string) => `enum ${field} ${type}`,
};

/** The values that the operator has listed. Without a list every value exists. */
export function closedListsIn(setup: NamedValues) {
  const add = (list: string, values: readonly string[]) => {
    for (const value of values) setup.of(list).put(value, true);
  };
  return {
    replace: (list: string, values: readonly string[]) => {
      setup.drop(list.replaceAll(/[*?[]/g, '[$&]'));
      add(list, values);
    },
    replaceEnums: (lists: readonly (readonly [list: string, values: readonly string[]])[]) => {
      setup.drop('enum *');
      for (const [list, values] of lists) add(list, values);
    },
    /** The enums with values for at least one type. */
    closedEnums: () => new Set(setup.kinds('enum *').map((list) => list.split(' ')[1] as EnumField)),
    /** Whether one of some lists has a value; undefined while all are empty. */
    takes: (value: string, ...lists: readonly string[]) => {
      const all = lists.map((list) => setup.of(list));
      if (all.some((list) => list.get(value) !== undefined)) return true;
      return all.some((list) => list.count() > 0) ? false : undefined;
    },
  };
}

/** Unlisted fields that were accepted and left out, by resource and path, with `*` for the indexes of lists. */
export function ignoredFieldsIn(setup: NamedValues) {
  const ignored = setup.of<{ readonly resource: Resource; readonly field: string; readonly times: number }>(
    'ignored field',
  );
  return {
    count: (resource: Resource, field: string) => {
      const name = JSON.stringify([resource, field]);
      ignored.put(name, { resource, field, times: (ignored.get(name)?.times ?? 0) + 1 });
    },
    all: ignored.all,
    drop: () => setup.drop('ignored field'),
  };
}

/** A key that tokens are issued for. Unlike tokens it outlives the process. */
export interface ApiKey {
  readonly key: string;
  /** Codes of the suppliers that the key may use; null means all. */
  readonly suppliers: readonly string[] | null;
}

export function apiKeysIn(own: NamedValues) {
  const keys = own.of<ApiKey>('API key');
  return {
    put: (key: ApiKey) => keys.put(key.key, key),
    /** In the order in which they were added. */
    all: keys.all,
  };
}

/** Distinguishes the contents of a database from its earlier contents, and from those of other databases. Every answer names it. */
export function databaseIdentityIn(own: NamedValues) {
  const identity = own.of<string>('identity');
  let known = '';
  return {
    /** Has to be given once. Every answer has it, also those of a database that can no longer be read. */
    get: () => {
      try {
        known = identity.get('')!;
      } catch {
        // The identity that was read last.
      }
      return known;
    },
    /** Gives a new database its identity. Any other database keeps the one that it has. */
    give: (id: string) => {
      if (identity.count() === 0) identity.put('', id);
    },
    replace: (id: string) => identity.put('', id),
  };
}
