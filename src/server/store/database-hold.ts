import { accessSync, constants, realpathSync, rmSync, statSync } from 'node:fs';
import BetterSqlite from 'better-sqlite3';
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
 * process, however that ends, and a file that was left behind locks nothing.
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
    for (;;) {
      const lock = lockFound(path);
      if (lock) return { release: () => release(path, lock) };
    }
  } catch (error) {
    if (isBusy(error)) throw new AppError('database_in_use', { file }, error);
    throw databaseUnusable(file, error);
  }
}

/** Undefined when whoever let go of the file in between has removed it: a lock on it would keep nobody out. */
function lockFound(path: string): BetterSqlite.Database | undefined {
  makePrivateFile(path);
  const found = identityOf(path);
  const lock = lockedFile(path);
  if (found !== 'none' && identityOf(path) === found) return lock;
  lock.close();
  return undefined;
}

function lockedFile(path: string): BetterSqlite.Database {
  const lock = new BetterSqlite(path, { timeout: 0 });
  try {
    // In memory: a journal would be one more file beside the database.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN IMMEDIATE');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

function release(path: string, lock: BetterSqlite.Database): void {
  if (!lock.open) return;
  // While it is still locked, so that nobody holds what is removed; Windows removes no file that is open.
  const isRemoved = remove(path);
  lock.close();
  if (!isRemoved) remove(path);
}

/** Whether it is gone. One that stays is in nobody's way. */
function remove(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** Which file stands there. The number of one that was removed is given to the next, so its birth is a part of it. */
function identityOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.ino} ${found.birthtimeNs}` : 'none';
}

function isBusy(error: unknown): boolean {
  return error instanceof BetterSqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
