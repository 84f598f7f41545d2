import { accessSync, closeSync, constants, existsSync, openSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import BetterSqlite, { type Database } from 'better-sqlite3';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import { Decimal, sum } from '../../core/values/decimal.ts';
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './schema.ts';
import { makePrivateFolder } from '../../files/private-folder.ts';

/** The name of a database that lives and dies with the process. */
export const IN_MEMORY = ':memory:';

/** How long a statement waits for another process that writes to the same file, in milliseconds. */
const BUSY_TIMEOUT_MS = 2_000;

/** Opens the database and makes its tables. Only the owner can read a new file. */
export function openDatabase(file: string): Database {
  let database: Database | undefined;
  try {
    if (file !== IN_MEMORY) {
      makePrivateFile(file);
      refuseUnfit(file);
    }
    database = new BetterSqlite(file, { timeout: BUSY_TIMEOUT_MS });
    refuseForeign(database);
    useWriteAheadLog(database, file);
    makeTables(database);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof AppError) throw error;
    throw new AppError('database_unusable', { file, reason: reasonOf(error) }, error);
  }
}

/**
 * Makes an empty file and its folder, for their owner only. A file that exists is not opened, because closing it would release
 * the locks that this process has on it. SQLite gives its log files the mode of the database.
 */
function makePrivateFile(path: string): void {
  if (existsSync(path)) return;
  makePrivateFolder(dirname(path));
  closeSync(openSync(path, 'a', 0o600));
}

/** A file that can only be read, and a log beside the database that can, are found at the start, because each POST would fail. */
function refuseUnfit(file: string): void {
  if (statSync(file).isDirectory()) throw new Error('it is a folder');
  for (const path of [file, dirname(realpathSync(file))]) accessSync(path, constants.W_OK);
  for (const beside of [`${file}-wal`, `${file}-shm`]) {
    try {
      if (existsSync(beside)) accessSync(beside, constants.W_OK);
    } catch (error) {
      const reason = `${basename(beside)} beside it cannot be written (${fileReason(error)})`;
      throw new AppError('database_unusable', { file, reason }, error);
    }
  }
}

/**
 * Moves everything from the write-ahead log into the file, so that the file alone is whole, and closes it.
 * @throws AppError `database_unusable`. The database is closed then, and the log beside it keeps what was committed.
 */
export function closeDatabase(database: Database): void {
  if (!database.open) return;
  try {
    if (!database.memory) database.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    const reason = `it could not be made one whole file: ${reasonOf(error)}`;
    const todo =
      'Nothing that was answered is lost: keep its -wal beside it, and start `dataimport serve` again once both can be written.';
    throw new AppError('database_unusable', { reason, todo, file: database.name }, error);
  } finally {
    database.close();
  }
}

function refuseForeign(database: Database): void {
  const id = database.pragma('application_id', { simple: true });
  const version = versionOf(database);
  const tables = database.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get();
  const isNew = id === 0 && version === 0 && tables === 0;
  if (!isNew && id !== APPLICATION_ID) throw new Error('it is a database of another program');
  if (!isNew && version !== SCHEMA_VERSION)
    throw new Error('it was written by another version of this program');
}

/** A commit does not wait for the disk. A process that is killed loses nothing, and a power cut may lose the last second. */
function useWriteAheadLog(database: Database, file: string): void {
  const mode = database.pragma('journal_mode = WAL', { simple: true });
  if (mode !== (file === IN_MEMORY ? 'memory' : 'wal'))
    throw new Error('it does not support write-ahead logging');
  database.pragma('synchronous = NORMAL');
  database.pragma('foreign_keys = ON');
  // The undo log of a savepoint would become a file otherwise.
  database.pragma('temp_store = MEMORY');
}

/**
 * Adds exact sums to SQL, whose own numbers are floats. The numbers come as JSON, a text or a number with all its digits. A running sum
 * adds rows only, so nothing is ever taken out again.
 */
function addExactSums(database: Database): void {
  database.aggregate<string | null>('exact_sum', {
    start: null,
    step: (total, json) => {
      if (json === null || json === 'null') return total;
      const next = Decimal.of(json.replaceAll('"', ''));
      return (total === null ? next : sum([Decimal.of(total), next])).text;
    },
    inverse: (total) => total,
    deterministic: true,
  });
}

function makeTables(database: Database): void {
  addExactSums(database);
  database
    .transaction(() => {
      // Read in the transaction, because another process may make them at the same time.
      if (versionOf(database) === SCHEMA_VERSION) return;
      database.exec(SCHEMA);
      database.pragma(`user_version = ${SCHEMA_VERSION}`);
      database.pragma(`application_id = ${APPLICATION_ID}`);
    })
    .immediate();
}

const versionOf = (database: Database): number => database.pragma('user_version', { simple: true }) as number;

/** SQLite makes two files beside the database, so a folder that is not writable is a reason, too. */
function reasonOf(error: unknown): string {
  if (!(error instanceof BetterSqlite.SqliteError)) return fileReason(error);
  return error.code.startsWith('SQLITE_READONLY') ? 'the file or its folder can only be read' : error.message;
}
