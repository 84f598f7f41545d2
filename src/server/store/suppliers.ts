import type { Database } from 'better-sqlite3';
import type { SupplierStatus } from '../../core/rules/supplier-status.ts';

/** An import supplier, as the operator of the platform set it up. */
export interface Supplier {
  readonly code: string;
  readonly name: string;
  readonly status: SupplierStatus;
  /** Root of the document paths that clients send (interface.md 2.2). */
  readonly documentRoot: string | undefined;
}

/** A supplier as the admin API shows it. */
export interface ListedSupplier {
  readonly code: string;
  readonly name: string;
  readonly status: SupplierStatus;
  readonly document_root: string | null;
  readonly accounts: number;
}

export function suppliersIn(database: Database) {
  const put = database.prepare<[string, string, SupplierStatus, string | null]>(`
    INSERT INTO suppliers (code, name, status, document_root) VALUES (?, ?, ?, ?)
    ON CONFLICT (code) DO UPDATE SET
      name = excluded.name, status = excluded.status, document_root = excluded.document_root`);
  const statusOf = database
    .prepare<[string], SupplierStatus>('SELECT status FROM suppliers WHERE code = ?')
    .pluck();
  const rootOf = database
    .prepare<[string], string | null>('SELECT document_root FROM suppliers WHERE code = ?')
    .pluck();
  const setStatus = database.prepare<[SupplierStatus, string]>(
    'UPDATE suppliers SET status = ? WHERE code = ?',
  );
  const all = database.prepare<[], ListedSupplier>(`
    SELECT code, name, status, document_root,
      (SELECT count(*) FROM accounts WHERE import_supplier = code) AS accounts
    FROM suppliers ORDER BY code`);
  const codes = database.prepare<[], string>('SELECT code FROM suppliers ORDER BY code').pluck();
  const count = database.prepare<[], number>('SELECT count(*) FROM suppliers').pluck();

  return {
    put: ({ code, name, status, documentRoot }: Supplier) =>
      void put.run(code, name, status, documentRoot ?? null),
    /** Undefined when there is no such supplier. */
    statusOf: (code: string) => statusOf.get(code),
    /** Root of the document paths of a supplier; undefined when it has none. */
    rootOf: (code: string) => rootOf.get(code) ?? undefined,
    /** Returns whether there is such a supplier. */
    setStatus: (code: string, status: SupplierStatus) => setStatus.run(status, code).changes === 1,
    /** By code, each with the number of its accounts. */
    all: () => all.all(),
    codes: () => codes.all(),
    count: () => count.get()!,
  };
}
