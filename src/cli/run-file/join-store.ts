import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makePrivateFolder } from './private-folder.ts';
import type { JoinedRow, JoinStore } from '../mapping/join-store.ts';

/** Rows of second files on disk, private to the user; all of it is gone when it is closed. */
export interface JoinStores {
  make(): JoinStore;
  close(): void;
}

/** Opens an empty temporary file for the stores in a folder, which is made when it is missing. */
export function openJoinStores(folder: string): JoinStores {
  makePrivateFolder(folder);
  const path = join(folder, `joins-${randomBytes(8).toString('hex')}.sqlite`);
  closeSync(openSync(path, 'wx', 0o600));
  const db = new Database(path, { fileMustExist: true });
  // It need not outlive the process, so nothing has to reach the disk and nothing is ever rolled back.
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.pragma('locking_mode = EXCLUSIVE');
  let stores = 0;
  return {
    make: () => storeIn(db, `joined_${++stores}`),
    close() {
      db.close();
      rmSync(path, { force: true });
    },
  };
}

/** Rows that are written together. */
const PORTION = 5000;

function storeIn(db: Database.Database, table: string): JoinStore {
  db.exec(`
    CREATE TABLE ${table} (seq INTEGER PRIMARY KEY, key TEXT NOT NULL, line INTEGER NOT NULL, cells TEXT NOT NULL, taken INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE INDEX ${table}_key ON ${table} (key)`);
  const insert = db.prepare(`INSERT INTO ${table} (key, line, cells) VALUES (?, ?, ?)`);
  const byKey = db.prepare(`SELECT line, cells FROM ${table} WHERE key = ? ORDER BY seq`);
  const mark = db.prepare(`UPDATE ${table} SET taken = 1 WHERE key = ? AND taken = 0`);
  const untaken = db.prepare(`SELECT line, cells FROM ${table} WHERE taken = 0 ORDER BY seq`);
  const write = db.transaction((rows: readonly (readonly [string, JoinedRow])[]) => {
    for (const [key, { line, cells }] of rows) insert.run(key, line, JSON.stringify(cells));
  });
  let waiting: (readonly [string, JoinedRow])[] = [];
  const flush = (): void => {
    if (waiting.length > 0) write(waiting);
    waiting = [];
  };
  return {
    add(key, row) {
      waiting.push([key, row]);
      if (waiting.length >= PORTION) flush();
    },
    take(key) {
      flush();
      const rows = byKey.all(key).map(rowOf);
      if (rows.length > 0) mark.run(key);
      return rows;
    },
    *left() {
      flush();
      for (const row of untaken.iterate()) yield rowOf(row);
    },
  };
}

function rowOf(row: unknown): JoinedRow {
  const { line, cells } = row as { readonly line: number; readonly cells: string };
  return { line, cells: JSON.parse(cells) as string[] };
}
