import type { Database } from 'better-sqlite3';
import type { Resource } from '../../core/contract/resources.ts';
import type { ImportState } from '../../core/rules/import-status.ts';
import type { Instant } from '../../core/values/instant.ts';

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

/** An unlisted field and how often it was dropped. */
export interface IgnoredField {
  readonly resource: Resource;
  /** Its path in the payload, with `*` for the indexes of lists. */
  readonly field: string;
  readonly times: number;
}

export function ignoredFieldsIn(database: Database) {
  const count = database.prepare<[Resource, string]>(`
    INSERT INTO ignored_fields (resource, field, times) VALUES (?, ?, 1)
    ON CONFLICT (resource, field) DO UPDATE SET times = times + 1`);
  const all = database.prepare<[], IgnoredField>('SELECT * FROM ignored_fields ORDER BY resource, field');
  const drop = database.prepare<[]>('DELETE FROM ignored_fields');

  return {
    count: (resource: Resource, field: string) => void count.run(resource, field),
    /** By resource and field. */
    all: () => all.all(),
    drop: () => void drop.run(),
  };
}

/** A planned step of an import: the next state and its time. */
export interface ImportStep {
  readonly accountId: number;
  /** In whole seconds, so that texts sort like times. */
  readonly dueAt: Instant;
  readonly state: ImportState;
}

export function importStepsIn(database: Database) {
  const add = database.prepare<[ImportStep]>(
    'INSERT INTO import_steps (account_id, due_at, state) VALUES (@accountId, @dueAt, @state)',
  );
  const any = database.prepare<[], 0 | 1>('SELECT EXISTS (SELECT 1 FROM import_steps)').pluck();
  const due = database.prepare<[Instant], ImportStep>(`
    SELECT account_id AS accountId, due_at AS dueAt, state FROM import_steps
    WHERE due_at <= ? ORDER BY due_at, account_id`);
  const drop = database.prepare<[ImportStep]>(
    'DELETE FROM import_steps WHERE account_id = @accountId AND due_at = @dueAt',
  );
  const dropOf = database.prepare<[number]>('DELETE FROM import_steps WHERE account_id = ?');

  return {
    add: (step: ImportStep) => void add.run(step),
    any: () => any.get() === 1,
    /** The steps whose time has come, earliest first. */
    due: (now: Instant) => due.all(now),
    drop: (step: ImportStep) => void drop.run(step),
    dropOf: (accountId: number) => void dropOf.run(accountId),
  };
}

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
