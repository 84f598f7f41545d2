import type { Database } from 'better-sqlite3';

/** Distinguishes the contents of a database from its earlier contents, and from those of other databases. Every answer names it. */
export function databaseIdentityIn(database: Database) {
  const get = database.prepare<[], string>('SELECT id FROM database_identity').pluck();
  const give = database.prepare<[string]>(
    'INSERT INTO database_identity (row, id) VALUES (1, ?) ON CONFLICT (row) DO NOTHING',
  );
  const replace = database.prepare<[string]>(
    'INSERT INTO database_identity (row, id) VALUES (1, ?) ON CONFLICT (row) DO UPDATE SET id = excluded.id',
  );
  let known: string | undefined;
  return {
    /** Has to be given once. */
    get: () => (known ??= get.get()!),
    /** Gives a new database its identity. Any other database keeps the one that it has. */
    give: (id: string) => void give.run(id),
    /** Has to be committed before anything else runs, because `get` remembers what it has read. */
    replace: (id: string) => {
      replace.run(id);
      known = undefined;
    },
  };
}
