import type { Database } from 'better-sqlite3';
import { MIGRATIONS } from './migrations.ts';

/** One row of a table: texts, numbers and nulls by the names of its columns. */
export interface TableRow {
  readonly table: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/** Everything that the platform remembers, but for the keys: those belong to the server, not to what it was told. */
export interface Contents {
  /** Of the tables; a later program may have others. */
  readonly version: number;
  rows(): Generator<TableRow>;
  /**
   * Takes the place of everything. Has to run in a transaction of the store, which an error undoes.
   * @throws UnfitRow for a row of no table; what a table does not take is an error of SQLite, see `isUnfit`
   */
  replace(rows: Iterable<TableRow>): void;
}

/** A row that is of no table. */
class UnfitRow extends Error {}

/** Whether an error says that rows do not fit the tables or each other. */
export function isUnfit(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return error instanceof UnfitRow || (typeof code === 'string' && code.startsWith('SQLITE_CONSTRAINT'));
}

const KEPT_BACK: readonly string[] = ['api_keys'];

export function contentsOf(database: Database): Contents {
  const tables = database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .pluck()
    .all()
    .filter((table) => !KEPT_BACK.includes(table));
  const columns = new Map(tables.map((table) => [table, columnsOf(table, database)]));

  return {
    version: MIGRATIONS.length,
    *rows() {
      for (const table of tables) {
        const all = database.prepare<[], TableRow['row']>(`SELECT * FROM ${table} ORDER BY rowid`);
        for (const row of all.iterate()) yield { table, row };
      }
    },
    replace: (rows) => {
      // Rows refer to rows of other tables, which may come later.
      database.pragma('defer_foreign_keys = ON');
      for (const table of tables) database.prepare(`DELETE FROM ${table}`).run();
      // Numbering goes on after the highest number that comes in.
      database.prepare('DELETE FROM sqlite_sequence').run();
      const inserts = new Map(
        tables.map((table) => [table, insertInto(table, columns.get(table)!, database)]),
      );
      for (const { table, row } of rows) {
        const insert = inserts.get(table);
        if (!insert || String(Object.keys(row)) !== String(columns.get(table))) {
          throw new UnfitRow();
        }
        insert.run(row);
      }
    },
  };
}

function columnsOf(table: string, database: Database): readonly string[] {
  return database
    .prepare<[], { name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => name);
}

function insertInto(table: string, columns: readonly string[], database: Database) {
  const values = columns.map((column) => `@${column}`).join(', ');
  return database.prepare<[object]>(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values})`);
}
