import type { Database } from 'better-sqlite3';

/** Distinguishes the contents of a database from its earlier contents, and from those of other databases. Every answer names it. */
export interface DatabaseIdentity {
  /** Has to be given once. */
  get(): string;
  /** Gives a new database its identity. Any other database keeps the one that it has. */
  give(id: string): void;
  /** Has to be committed before anything else runs, because `get` remembers what it has read. */
  replace(id: string): void;
}

export function databaseIdentityIn(database: Database): DatabaseIdentity {
  const get = database.prepare<[], string>('SELECT id FROM database_identity').pluck();
  const give = database.prepare<[string]>(
    'INSERT INTO database_identity (row, id) VALUES (1, ?) ON CONFLICT (row) DO NOTHING',
  );
  const replace = database.prepare<[string]>(
    'INSERT INTO database_identity (row, id) VALUES (1, ?) ON CONFLICT (row) DO UPDATE SET id = excluded.id',
  );
  let known: string | undefined;
  return {
    get: () => (known ??= get.get()!),
    give: (id) => void give.run(id),
    replace: (id) => {
      replace.run(id);
      known = undefined;
    },
  };
}
