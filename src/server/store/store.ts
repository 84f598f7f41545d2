import { accountsIn } from './accounts.ts';
import { closeDatabase, openDatabase, IN_MEMORY } from './database.ts';
import { ledgerIn } from './ledger.ts';
import { namedValuesIn } from './named-values.ts';
import { recordsIn } from './records.ts';
import {
  apiKeysIn,
  closedListsIn,
  databaseIdentityIn,
  ignoredFieldsIn,
  suppliersIn,
  vendorsIn,
} from './setup.ts';
import type { Database } from 'better-sqlite3';
import type { ImportState } from '../../core/rules/import-status.ts';
import { type Instant, preciseInstantOfClock } from '../../core/values/instant.ts';

/** Everything that the platform remembers, in one SQLite database. Each operation is one statement, prepared once. */
export type Store = ReturnType<typeof openStore>;

export type Counts = ReturnType<Store['counts']>;

/** @throws AppError `database_unusable` */
export function openStore(file: string) {
  const database = openDatabase(file);
  const [setup, own] = [namedValuesIn(database, 'setup'), namedValuesIn(database, 'own')];
  const suppliers = suppliersIn(setup, database);
  const accounts = accountsIn(database);
  const records = recordsIn(database);
  const inTransaction = database.transaction((work: () => unknown) => work());
  return {
    databaseIdentity: databaseIdentityIn(own),
    suppliers,
    accounts,
    importSteps: importStepsIn(database),
    apiKeys: apiKeysIn(own),
    closedLists: closedListsIn(setup),
    ignoredFields: ignoredFieldsIn(setup),
    vendors: vendorsIn(setup),
    records,
    ledger: ledgerIn(database),
    snapshots: snapshotsOf(database),
    counts: () => ({
      suppliers: suppliers.count(),
      accounts: accounts.count(),
      records: records.countsByKind(),
      /** How often a transaction came again under its id with other content, and was left as it was. */
      conflicting_replays: records.conflicts(),
    }),
    /** Runs `work` in one transaction. When `work` throws, nothing of it is stored. A write inside a write undoes only its own part. */
    write: <T>(work: () => T) => inTransaction.immediate(work) as T,
    /** Writes the whole database into its file and closes it. May be called again. @throws AppError `database_unusable` */
    close: () => closeDatabase(database),
  };
}

/** A planned step of an import: the next state and its time. */
interface ImportStep {
  readonly accountId: number;
  /** In whole seconds, so that texts sort like times. */
  readonly dueAt: Instant;
  readonly state: ImportState;
}

function importStepsIn(database: Database) {
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

/**
 * Copies of everything but API keys and identity by name, in memory. API keys belong to the server and the identity belongs to the
 * database, so restoring leaves both as they are.
 */
function snapshotsOf(database: Database) {
  const saved = new Map<string, { readonly copy: Database; readonly shown: object }>();
  return {
    /** In alphabetical order of their names. */
    all: () => [...saved.keys()].toSorted().map((name) => saved.get(name)!.shown),
    /** Replaces a snapshot of the same name. */
    save: (name: string, nowMs: number): object => {
      const copy = openDatabase(IN_MEMORY);
      copy.transaction(() => copyRows(database, copy))();
      const bytes = copy.prepare<[], number>(
        'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size',
      );
      const shown = { name, bytes: bytes.pluck().get()!, written_at: preciseInstantOfClock(nowMs) };
      saved.get(name)?.copy.close();
      saved.set(name, { copy, shown });
      return shown;
    },
    /** Returns whether there is one. Has to run in a transaction of the store. */
    restore: (name: string) => {
      const copy = saved.get(name)?.copy;
      if (copy) copyRows(copy, database);
      return copy !== undefined;
    },
    delete: (name: string) => {
      saved.get(name)?.copy.close();
      return saved.delete(name);
    },
  };
}

/** Replaces the rows of one database by those of another with the same tables. Has to run in a transaction. */
function copyRows(from: Database, to: Database): void {
  // Rows refer to rows of tables that come later.
  to.pragma('defer_foreign_keys = ON');
  const tables = tablesOf(to);
  for (const table of tables) to.prepare(`DELETE FROM ${table}`).run();
  // New records get numbers after the highest number that is copied.
  to.prepare('DELETE FROM sqlite_sequence').run();
  for (const table of tables) {
    const rows = from.prepare<[], unknown[]>(`SELECT * FROM ${table} ORDER BY rowid`).raw();
    const places = rows.columns().map(() => '?');
    const insert = to.prepare(`INSERT INTO ${table} VALUES (${places.join(', ')})`);
    for (const row of rows.iterate()) insert.run(row);
  }
}

function tablesOf(database: Database): readonly string[] {
  const select =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'own' ORDER BY name";
  return database.prepare<[], string>(select).pluck().all();
}
