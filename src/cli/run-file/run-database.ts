import { existsSync, openSync, closeSync, chmodSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../core/app-error.ts';
import { Decimal, sum } from '../../core/values/decimal.ts';
import { makePrivateFolder } from './private-folder.ts';
import { openScratch } from './scratch.ts';
import { APPLICATION_ID, createSchema, hasSchema, SCHEMA_VERSION } from './schema.ts';

export type RunDatabase = Database.Database;

/**
 * Makes a new run file, private to the user, opens it for this process alone and has it filled. Whole or not at all.
 * @throws AppError `run_not_writable`
 */
export function createRunDatabase(
  path: string,
  fill: (db: RunDatabase) => void = () => undefined,
): RunDatabase {
  let isOurs = false;
  let db: RunDatabase | undefined;
  try {
    makePrivateFolder(dirname(path));
    // Made before SQLite opens it: SQLite would apply the umask only, and its journal copies the mode of the file.
    closeSync(openSync(path, 'wx', 0o600));
    isOurs = true;
    chmodSync(path, 0o600);
    db = openExclusively(path);
    createSchema(db);
    fill(db);
    return db;
  } catch (error) {
    db?.close();
    // What another process has made stays.
    if (isOurs) removeDatabase(path);
    throw new AppError(
      'run_not_writable',
      { folder: dirname(path), reason: (error as Error).message },
      error,
    );
  }
}

/**
 * Makes a run file without a name, for a run that is thrown away. SQLite keeps it in a temporary file, private to the
 * user, that is unlinked as it is made: its content goes with the process, however that ends.
 */
export function createScratchDatabase(fill: (db: RunDatabase) => void): RunDatabase {
  const db = openScratch();
  db.pragma('foreign_keys = ON');
  defineSums(db);
  createSchema(db);
  fill(db);
  return db;
}

/** Removes a run file with its journal. */
export function removeDatabase(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
}

/** Opens a run file for this process alone. @throws AppError `run_locked`, `run_damaged` */
export function openRunDatabase(path: string, run: string): RunDatabase {
  if (!existsSync(path)) throw new AppError('run_not_found', { run, folder: dirname(path) });
  let db: RunDatabase | undefined;
  try {
    db = openExclusively(path, assertRunFile);
    const integrity = db.pragma('integrity_check(1)', { simple: true });
    if (!hasSchema(db)) throw new Error('its tables are not those of a run file');
    if (integrity !== 'ok') throw new Error('its integrity check fails', { cause: integrity });
    return db;
  } catch (error) {
    db?.close();
    if (isBusy(error)) throw new AppError('run_locked', { run }, error);
    throw new AppError('run_damaged', { file: path, reason: (error as Error).message }, error);
  }
}

function assertRunFile(db: RunDatabase): void {
  const found = {
    application: db.pragma('application_id', { simple: true }),
    version: db.pragma('user_version', { simple: true }),
  };
  if (found.application !== APPLICATION_ID) throw new Error('it is not a run file');
  if (found.version !== SCHEMA_VERSION) {
    throw new Error(
      `it has version ${String(found.version)}, and this program reads version ${SCHEMA_VERSION}`,
    );
  }
}

/** Nothing is written before `inspect` has let the file pass: a file that is not ours stays as it is. */
function openExclusively(path: string, inspect: (db: RunDatabase) => void = () => undefined): RunDatabase {
  const db = new Database(path, { fileMustExist: true, timeout: 0 });
  try {
    // Exclusive before WAL: the lock is then held from the first read until close, and no shared memory file is made.
    db.pragma('locking_mode = EXCLUSIVE');
    inspect(db);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    // Customer data that is erased must not stay readable in free pages.
    db.pragma('secure_delete = ON');
    if (db.pragma('synchronous', { simple: true }) !== 2) throw new Error('synchronous=FULL is not in force');
    db.exec('BEGIN EXCLUSIVE; COMMIT');
    defineSums(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Sums of amounts, exact. */
function defineSums(db: RunDatabase): void {
  db.aggregate('decimal_sum', {
    start: () => [] as Decimal[],
    step: (amounts: Decimal[], amount: unknown) => {
      // Summed in portions, so that a million amounts are not held at once.
      if (amount !== null) amounts.push(Decimal.of(amount as string));
      return amounts.length < 1000 ? amounts : [sum(amounts)];
    },
    result: (amounts: Decimal[]) => (amounts.length === 0 ? null : sum(amounts).text),
  });
}

/** Whether another process holds the file. */
function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
