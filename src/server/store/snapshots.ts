import type { Database } from 'better-sqlite3';
import { preciseInstantOfClock, type Instant } from '../../core/values/instant.ts';
import { IN_MEMORY, openDatabase } from './database.ts';

export interface Snapshot {
  readonly name: string;
  readonly bytes: number;
  /** By the clock of the machine. */
  readonly written_at: Instant;
}

/**
 * Copies of everything but API keys and identity by name, in memory. API keys belong to the server and the identity belongs to the
 * database, so restoring leaves both as they are.
 */
export function snapshotsOf(database: Database) {
  const saved = new Map<string, { readonly copy: Database; readonly shown: Snapshot }>();
  return {
    /** In alphabetical order of their names. */
    all: () => [...saved.keys()].toSorted().map((name) => saved.get(name)!.shown),
    /** Replaces a snapshot of the same name. */
    save: (name: string, nowMs: number): Snapshot => {
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
    /** Returns whether there was one. */
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
