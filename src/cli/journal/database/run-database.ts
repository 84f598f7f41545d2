import { openSync, closeSync, chmodSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../../core/app-error.ts';
import { Decimal, DecimalSum } from '../../../core/values/decimal.ts';
import { makePrivateFolder } from '../../../files/private-folder.ts';
import { inaccessible, notWritable } from './access.ts';
import { DamageError, damagedBy, guard } from './integrity.ts';
import { valueOf } from './queries.ts';
import { APPLICATION_ID, createSchema, hasSchema, SCHEMA_VERSION } from './schema.ts';

export type RunDatabase = Database.Database;

/**
 * Creates a new journal with access for the user only, opens it for this process alone and lets `fill` write into it. The
 * file is complete or does not exist.
 */
export function createRunDatabase(
  path: string,
  fill: (db: RunDatabase) => void = () => undefined,
): RunDatabase {
  let isOurs = false;
  let db: RunDatabase | undefined;
  try {
    makePrivateFolder(dirname(path));
    // Created before SQLite opens it: SQLite would only apply the umask, and its journal copies the mode of the file.
    closeSync(openSync(path, 'wx', 0o600));
    isOurs = true;
    chmodSync(path, 0o600);
    db = openExclusively(path);
    begun(db, fill);
    return db;
  } catch (error) {
    db?.close();
    // A file that another process has created stays.
    if (isOurs) removeDatabase(path);
    throw notWritable(path, error);
  }
}

/**
 * Opens an empty database in a temporary file without a name. SQLite unlinks the file as it creates it, in the folder for
 * temporary files (`SQLITE_TMPDIR`, `TMPDIR`), with mode 0600. Its content goes with the process, also when that is killed.
 */
export function openScratch(): Database.Database {
  // The empty name asks SQLite for such a file (sqlite.org/inmemorydb.html, "Temporary Databases").
  const db = new Database('');
  return guard(db, () => {
    // On disk although a build of SQLite might keep it in memory, because it grows with the source.
    db.pragma('temp_store = FILE');
    // No process resumes it after a crash, so the journal need not reach the disk.
    db.pragma('journal_mode = MEMORY');
    return db;
  });
}

/** Creates a journal without a name, for a run that is thrown away; see `openScratch`. */
export function createScratchDatabase(fill: (db: RunDatabase) => void): RunDatabase {
  const db = openScratch();
  // Pages are read again so seldom that SQLite's usual 16 MB, for the tables and for temporary tables each, save no time.
  for (const schema of ['main', 'temp']) db.pragma(`${schema}.cache_size = -4000`);
  db.pragma('foreign_keys = ON');
  defineSums(db);
  guard(db, () => begun(db, fill));
  return db;
}

function begun(db: RunDatabase, fill: (db: RunDatabase) => void): void {
  db.transaction(() => {
    createSchema(db);
    fill(db);
  })();
}

/** Removes a journal with the files of SQLite beside it. */
export function removeDatabase(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
}

/** Opens a journal for this process alone. Damage between its tables is found by `assertIntegrity`. */
export function openRunDatabase(path: string): RunDatabase {
  let db: RunDatabase | undefined;
  try {
    if (!statSync(path).isFile()) throw new DamageError('it is not a regular file');
    db = openExclusively(path, (opened) => assertRunFile(opened, path));
    if (!hasSchema(db)) throw new DamageError('its tables are not those of a journal');
    return db;
  } catch (error) {
    db?.close();
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new AppError('run_not_found', { reason: `no run \`${path}\``, folder: dirname(path) }, error);
    if (isBusy(error))
      throw new AppError('run_locked', { reason: `${path} is in use by another process` }, error);
    throw openingError(path, error);
  }
}

/** Reads the whole file, so the time grows with it. */
export function assertIntegrity(db: RunDatabase): void {
  if (db.pragma('integrity_check(1)', { simple: true }) !== 'ok')
    throw new DamageError('its integrity check fails');
}

/** Says why a journal was not opened. It calls the journal damaged only where its content proves that. */
export function openingError(path: string, error: unknown): unknown {
  if (error instanceof AppError) return error;
  return inaccessible(path, error) ?? damagedBy(path, error) ?? error;
}

function assertRunFile(db: RunDatabase, file: string): void {
  if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID)
    throw new DamageError('it is not a journal');
  const found = db.pragma('user_version', { simple: true }) as number;
  if (found !== SCHEMA_VERSION)
    throw new AppError('run_inaccessible', {
      file,
      reason: `it was written by dataimport (version ${writerOf(db)}), and this version cannot read it`,
      remedy: 'Go on with that version, which knows what was sent',
    });
}

/** Writes nothing before `inspect` has accepted the file, so that a file of another program stays unchanged. */
function openExclusively(path: string, inspect: (db: RunDatabase) => void = () => undefined): RunDatabase {
  const db = new Database(path, { fileMustExist: true, timeout: 0 });
  try {
    // Exclusive before WAL, so that the lock is kept from the first read until close, and no shared memory file is created.
    db.pragma('main.locking_mode = EXCLUSIVE');
    inspect(db);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    // Erased customer data must not stay readable in free pages.
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

/** Defines `decimal_sum`, the exact sum of amounts. */
function defineSums(db: RunDatabase): void {
  db.aggregate('decimal_sum', {
    start: () => new DecimalSum(),
    step: (sum: DecimalSum, amount: unknown) => {
      if (amount !== null) sum.add(Decimal.of(amount as string));
    },
    result: (sum: DecimalSum) => sum.total?.text ?? null,
  });
}

/** Whether an error says that another process has the file open. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/** The version of the program that wrote a journal. */
function writerOf(db: RunDatabase): string {
  try {
    return valueOf<string>(db, 'SELECT tool_version FROM journal') ?? ANOTHER;
  } catch {
    return ANOTHER;
  }
}

const ANOTHER = 'another version';
