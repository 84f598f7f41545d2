import type { Database } from 'better-sqlite3';

/**
 * JSON values by kind and name, in one table: `setup` has what a seed describes, and `own` what belongs to the database itself, which
 * no snapshot has.
 */
export function namedValuesIn(database: Database, table: 'setup' | 'own') {
  const put = database.prepare<[string, string, string]>(`
    INSERT INTO ${table} (kind, name, value) VALUES (?, ?, ?)
    ON CONFLICT (kind, name) DO UPDATE SET value = excluded.value`);
  const get = database
    .prepare<[string, string], string>(`SELECT value FROM ${table} WHERE kind = ? AND name = ?`)
    .pluck();
  const order = table === 'setup' ? 'name' : 'rowid';
  const all = database
    .prepare<[string], string>(`SELECT value FROM ${table} WHERE kind = ? ORDER BY ${order}`)
    .pluck();
  const count = database.prepare<[string], number>(`SELECT count(*) FROM ${table} WHERE kind = ?`).pluck();
  const drop = database.prepare<[string]>(`DELETE FROM ${table} WHERE kind GLOB ?`);
  const kinds = database.prepare<[string], string>(`SELECT DISTINCT kind FROM ${table} WHERE kind GLOB ?`);
  return {
    /** The values of one kind. */
    of: <T>(kind: string) => ({
      put: (name: string, value: T) => void put.run(kind, name, JSON.stringify(value)),
      /** Undefined when there is none. */
      get: (name: string): T | undefined => {
        const value = get.get(kind, name);
        return value === undefined ? undefined : (JSON.parse(value) as T);
      },
      /** By name; of `own` in the order in which they were added. */
      all: () => all.all(kind).map((value) => JSON.parse(value) as T),
      count: () => count.get(kind)!,
    }),
    /** The kinds that fit a pattern of GLOB. */
    kinds: (pattern: string) => kinds.pluck().all(pattern),
    /** Removes the values whose kinds fit a pattern of GLOB. */
    drop: (pattern: string) => void drop.run(pattern),
  };
}

export type NamedValues = ReturnType<typeof namedValuesIn>;
