import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../core/app-error.ts';
import { makePrivateFolder } from './private-folder.ts';

/** How long another process may take to look through the folder, in milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * Does something while no other process does the same with this file. What is done is done in one go: this process could
 * not wait for itself. The lock is that of an empty SQLite file: it goes with the process, however that ends. The file
 * stays, because who removed it would take it from those who wait for it.
 * @throws AppError `run_not_writable` when the file cannot be made or the other process takes too long
 */
export function withLock<T>(file: string, act: () => T): T {
  const held = lock(file);
  try {
    return act();
  } finally {
    held.close();
  }
}

function lock(file: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    makePrivateFolder(dirname(file));
    // Made before SQLite opens it, which would apply the umask only.
    closeSync(openSync(file, 'a', 0o600));
    db = new Database(file, { timeout: PATIENCE_MS });
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db?.close();
    throw new AppError(
      'run_not_writable',
      { folder: dirname(file), reason: (error as Error).message },
      error,
    );
  }
}
