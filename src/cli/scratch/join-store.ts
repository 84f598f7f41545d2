import type { Database } from 'better-sqlite3';
import { parseExactJson, withNumbers } from '../../core/values/exact-json.ts';
import type { JoinedRow, JoinStore } from '../mapping/joined-rows.ts';
import { inPortions } from './portions.ts';
import { openScratch } from '../journal/database/run-database.ts';

/** Rows of joined files on disk, with access for the user only. They are gone when it is closed, or the process ends. */
export type JoinStores = { make(): JoinStore; close(): void };

/** Opens an empty temporary file for the stores; see `openScratch`. */
export function openJoinStores(): JoinStores {
  const db = openScratch();
  let stores = 0;
  return { make: () => storeIn(db, `joined_${++stores}`), close: () => void db.close() };
}

function storeIn(db: Database, table: string): JoinStore {
  const create = db.transaction((sql: string) => db.exec(sql));
  create(`
    CREATE TABLE ${table} (seq INTEGER PRIMARY KEY, key TEXT NOT NULL, line INTEGER NOT NULL, cells TEXT NOT NULL, taken INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE INDEX ${table}_key ON ${table} (key)`);
  const insert = db.prepare(`INSERT INTO ${table} (key, line, cells) VALUES (?, ?, ?)`);
  const byKey = db.prepare(`SELECT line, cells FROM ${table} WHERE key = ? ORDER BY seq`);
  const setTaken = db.prepare(`UPDATE ${table} SET taken = 1 WHERE key = ? AND taken = 0`);
  const mark = db.transaction((key: string) => setTaken.run(key));
  const taken = db.prepare(`SELECT 1 FROM ${table} WHERE key = ? AND taken = 1 LIMIT 1`);
  const untaken = db.prepare(`SELECT line, cells FROM ${table} WHERE taken = 0 ORDER BY seq`);
  const rows = inPortions<readonly [string, JoinedRow]>(db, ([key, { line, cells }]) => {
    insert.run(key, line, JSON.stringify(cells.object ? [cells, withNumbers(cells.object)] : cells));
  });
  return {
    add: (key, row) => rows.add([key, row]),
    take(key) {
      rows.flush();
      const found = byKey.all(key).map(rowOf);
      if (found.length > 0) mark(key);
      return found;
    },
    isTaken: (key) => taken.get(key) !== undefined,
    *left() {
      rows.flush();
      for (const row of untaken.iterate()) yield rowOf(row);
    },
  };
}

function rowOf(row: unknown): JoinedRow {
  const { line, cells } = row as { line: number; cells: string };
  if (!cells.startsWith('[[')) return { line, cells: JSON.parse(cells) as string[] };
  const [texts, object] = parseExactJson(cells) as [string[], object];
  return { line, cells: Object.assign(texts, { object }) };
}
