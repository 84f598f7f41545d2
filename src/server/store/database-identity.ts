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
  let known = '';
  return {
    /** Has to be given once. Every answer has it, also those of a database that can no longer be read. */
    get: () => {
      try {
        known = get.get()!;
      } catch {
        // The identity that was read last.
      }
      return known;
    },
    /** Gives a new database its identity. Any other database keeps the one that it has. */
    give: (id: string) => void give.run(id),
    replace: (id: string) => void replace.run(id),
  };
}
