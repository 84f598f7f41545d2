import type { Database } from 'better-sqlite3';

/** A key that tokens are issued for. */
export interface ApiKey {
  readonly key: string;
  /** Codes of the suppliers that the key may use; null means all. */
  readonly suppliers: readonly string[] | null;
}

/** The stored keys. Unlike tokens they outlive the process. */
export function apiKeysIn(database: Database) {
  const put = database.prepare<[string, string | null]>(`
    INSERT INTO api_keys (key, suppliers) VALUES (?, ?)
    ON CONFLICT (key) DO UPDATE SET suppliers = excluded.suppliers`);
  const all = database.prepare<[], { key: string; suppliers: string | null }>(
    'SELECT key, suppliers FROM api_keys ORDER BY rowid',
  );

  return {
    put: ({ key, suppliers }: ApiKey) => void put.run(key, suppliers && JSON.stringify(suppliers)),
    /** In the order in which they were added. */
    all: () =>
      all.all().map(({ key, suppliers }) => ({
        key,
        suppliers: suppliers === null ? null : (JSON.parse(suppliers) as string[]),
      })),
  };
}
