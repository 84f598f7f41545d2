import { closeSync, lstatSync, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../../core/app-error.ts';
import { makePrivateFolder } from '../../../files/private-folder.ts';
import { notWritable } from './access.ts';
import { isBusy } from './run-database.ts';

const PATIENCE_MS = 30_000;

/**
 * Runs `act` while no other process does the same with this file. It has to be synchronous, because the process cannot wait for itself. The
 * lock is the lock of an empty SQLite file, so it goes with the process, however that ends. The file stays: removing it would take it away
 * from the processes that wait for it. `patienceMs`: how long another process may keep the lock.
 * @throws AppError `run_not_writable` when the file cannot be created, `run_folder_busy` when other processes take too long
 */
export function withLock<T>(file: string, act: () => T, patienceMs = PATIENCE_MS): T {
  const isTaken = () =>
    new AppError('run_folder_busy', { folder: dirname(file), time: `${patienceMs / 1000} s` });
  const db = takeLock(file, patienceMs, isTaken);
  try {
    return act();
  } finally {
    db.close();
  }
}

/**
 * Takes the lock of a file until the database is closed. `taken`: the error when another process keeps it for longer than `patienceMs`.
 * @throws AppError `run_not_writable`, `taken`
 */
export function takeLock(file: string, patienceMs: number, taken: () => AppError): Database.Database {
  let db: Database.Database | undefined;
  try {
    makePrivateFolder(dirname(file));
    // A pipe would be opened for ever, and a device is always in use.
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) throw notRegular(file);
    // Created before SQLite opens it, because SQLite would only apply the umask.
    closeSync(openSync(file, 'a', 0o600));
    db = new Database(file, { timeout: patienceMs });
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof AppError) throw error;
    throw isBusy(error) ? taken() : notWritable(file, error);
  }
}

function notRegular(file: string): AppError {
  const reason = `${basename(file)} is not a regular file`;
  return new AppError('run_not_writable', { folder: dirname(file), reason, remedy: 'Remove it' });
}
