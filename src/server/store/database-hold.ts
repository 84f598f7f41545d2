import { accessSync, constants, realpathSync } from 'node:fs';
import BetterSqlite, { type Database } from 'better-sqlite3';
import { AppError } from '../../core/app-error.ts';
import { databaseUnusable, IN_MEMORY } from './database.ts';
import { makePrivateFile } from './private-file.ts';

/** That a database is one server's. */
export interface DatabaseHold {
  /** Lets the next server have it; a second call does nothing. */
  release(): void;
}

/**
 * Keeps a database from other servers; who only reads it, or backs it up, is not kept from it. What is locked is an empty
 * SQLite file beside it, `…-lock`: a lock on the database itself would be one against readers, too. The lock goes with the
 * process, however that ends. The file stays: to remove it would take it from under a server that has just found it.
 * @throws AppError `database_in_use` when another server holds it, in this process or another one; `database_unusable`
 */
export function holdDatabase(file: string): DatabaseHold {
  if (file === IN_MEMORY) return { release: () => {} };
  try {
    makePrivateFile(file);
    // SQLite would open it for reading alone, and every POST would be a 500.
    accessSync(file, constants.W_OK);
    // However the path is spelt, the database is one.
    const path = `${realpathSync(file)}-lock`;
    makePrivateFile(path);
    const lock = lockedFile(path, file);
    return { release: () => lock.close() };
  } catch (error) {
    throw error instanceof AppError ? error : databaseUnusable(file, error);
  }
}

function lockedFile(path: string, file: string): Database {
  let lock: Database | undefined;
  try {
    lock = new BetterSqlite(path, { timeout: 0 });
    // In memory: a journal would be one more file beside the database.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN IMMEDIATE');
    return lock;
  } catch (error) {
    lock?.close();
    if (isBusy(error)) throw new AppError('database_in_use', { file }, error);
    throw databaseUnusable(path, error);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof BetterSqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
