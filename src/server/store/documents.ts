import type { Database } from 'better-sqlite3';

/** The documents in the file stores of the suppliers. */
export function documentsIn(database: Database) {
  const drop = database.prepare<[string]>('DELETE FROM documents WHERE import_supplier = ?');
  const add = database.prepare<[string, string]>(
    'INSERT INTO documents (import_supplier, path) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const has = database
    .prepare<[{ supplier: string; path: string }], 0 | 1>(
      `SELECT NOT EXISTS (SELECT 1 FROM documents WHERE import_supplier = @supplier)
        OR EXISTS (SELECT 1 FROM documents WHERE import_supplier = @supplier AND path = @path)`,
    )
    .pluck();

  return {
    /** Replaces the list of a supplier. With an empty list every document exists. */
    replace: (supplier: string, paths: readonly string[]) => {
      drop.run(supplier);
      for (const path of paths) add.run(supplier, path);
    },
    /** Whether a document exists; true for every path while the supplier has no list. */
    has: (supplier: string, path: string) => has.get({ supplier, path }) === 1,
  };
}
