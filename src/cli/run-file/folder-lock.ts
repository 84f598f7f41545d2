import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { makePrivateFolder } from '../../files/private-folder.ts';
import { notWritable } from './access.ts';

/** How long another process may keep the lock, in milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * Runs `act` while no other process does the same with this file. It has to be synchronous, because the process cannot wait
 * for itself. The lock is the lock of an empty SQLite file, so it goes with the process, however that ends. The file stays:
 * removing it would take it away from the processes that wait for it.
 * @throws AppError `run_not_writable` when the file cannot be created or the other process takes too long
 */
export function withLock<T>(file: string, act: () => T): T {
  const db = lock(file);
  try {
    return act();
  } finally {
    db.close();
  }
}

function lock(file: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    makePrivateFolder(dirname(file));
    // Created before SQLite opens it, because SQLite would only apply the umask.
    closeSync(openSync(file, 'a', 0o600));
    db = new Database(file, { timeout: PATIENCE_MS });
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db?.close();
    throw notWritable(file, error);
  }
}
