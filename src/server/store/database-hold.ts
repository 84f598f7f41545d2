import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import BetterSqlite, { type Database } from 'better-sqlite3';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import { databaseUnusable, IN_MEMORY } from './database.ts';
import { makePrivateFile } from './private-file.ts';

/** A lock that keeps a database for one server. */
export interface DatabaseHold {
  /** Lets another server open the database. May be called again. */
  release(): void;
}

/**
 * Keeps other servers away from a database, but not programs that read it or back it up. It locks an empty SQLite file beside
 * the database, `…-lock`, because a lock on the database itself would keep readers away, too. The lock ends with the process,
 * however that ends. The file stays, because another server may just have opened it.
 * @throws AppError `database_in_use` when another server holds it, in this process or another; `database_linked`, `database_unusable`
 */
export function holdDatabase(file: string): DatabaseHold {
  if (file === IN_MEMORY) return { release: () => {} };
  try {
    makePrivateFile(file);
    // SQLite would open a read-only file silently, and every POST would be a 500.
    accessSync(file, constants.W_OK);
    refuseSecondName(file);
    for (const end of ['-wal', '-shm']) refuseUnwritable(file, end);
    // Different paths may lead to the same database.
    const path = `${realpathSync(file)}-lock`;
    makePrivateFile(path);
    const lock = lockedFile(path, file);
    return { release: () => lock.close() };
  } catch (error) {
    throw error instanceof AppError ? error : databaseUnusable(file, error);
  }
}

/**
 * A hard link is another name of the same file. SQLite keeps one log for each name, so two servers would overwrite each other,
 * and the lock beside one name does not hold for the other.
 */
function refuseSecondName(file: string): void {
  const stats = statSync(file);
  // Every folder has several names.
  if (stats.isFile() && stats.nlink > 1) throw new AppError('database_linked', { file, names: stats.nlink });
}

/** SQLite would only say that it cannot open the database. */
function refuseUnwritable(file: string, end: string): void {
  try {
    if (existsSync(file + end)) accessSync(file + end, constants.W_OK);
  } catch (error) {
    const reason = `${basename(file)}${end} beside it cannot be written (${fileReason(error)})`;
    throw new AppError('database_unusable', { file, reason }, error);
  }
}

function lockedFile(path: string, file: string): Database {
  let lock: Database | undefined;
  try {
    lock = new BetterSqlite(path, { timeout: 0 });
    // In memory, because a journal would be one more file beside the database.
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
