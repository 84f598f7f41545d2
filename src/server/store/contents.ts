import type { Database } from 'better-sqlite3';
import { NO_SUPPLIER, standsAlready } from '../seed/definition-words.ts';
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
   * @throws UnfitRow for the first row that does not fit its table, or the others
   */
  replace(rows: Iterable<TableRow>): void;
}

/** A row that does not fit its table or the other rows; the message is for people and names no value. */
export class UnfitRow extends Error {
  /** Of the row, from 0; undefined where only the table is known. */
  readonly index: number | undefined;

  constructor(reason: string, index?: number) {
    super(reason);
    this.name = 'UnfitRow';
    this.index = index;
  }
}

/** Tables of things that a seed defines, too, in its words. */
const THINGS: Readonly<Record<string, string>> = {
  suppliers: 'supplier',
  accounts: 'account',
  vendors: 'vendor',
  vendor_instructions: 'instruction of the vendor',
  product_codes: 'product code',
};

/** What is said of a row that refers to none of a table. */
const STRAY: Readonly<Record<string, string>> = { suppliers: NO_SUPPLIER };
const NO_ROW = 'what it refers to is not there';

/** What SQLite has against a row, in words; undefined for what is no fault of the row. */
function reasonOf(error: unknown, table: string): string | undefined {
  const code = String((error as { readonly code?: unknown }).code);
  if (/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY|ROWID)$/.test(code))
    return standsAlready(THINGS[table] ?? 'row', 'on a line before it');
  // What is neither text, number nor null is refused before SQLite sees it.
  const isOfValue = error instanceof TypeError || /^SQLITE_(CONSTRAINT|MISMATCH)/.test(code);
  return isOfValue ? 'a value of this row is none that its column takes' : undefined;
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
      let index = 0;
      for (const { table, row } of rows) {
        const insert = inserts.get(table);
        if (!insert || String(Object.keys(row)) !== String(columns.get(table)))
          throw new UnfitRow('this row has other columns than a table of this program', index);
        try {
          insert.run(row);
        } catch (error) {
          const reason = reasonOf(error, table);
          throw reason === undefined ? error : new UnfitRow(reason, index);
        }
        index++;
      }
      const [stray] = database.pragma('foreign_key_check') as { table: string; parent: string }[];
      if (stray) throw new UnfitRow(`of a row of ${stray.table}, ${STRAY[stray.parent] ?? NO_ROW}`);
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
