import BetterSqlite, { type Database, type Statement } from 'better-sqlite3';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import { APPLICATION_ID, MIGRATIONS } from './migrations.ts';
import { makePrivateFile } from './private-file.ts';
import { addExactSums } from './record-totals.ts';

/** The name of a database that lives and dies with the process. */
export const IN_MEMORY = ':memory:';

/** How long a statement waits for another process that writes to the same file, in milliseconds. */
const BUSY_TIMEOUT_MS = 2_000;

/** `PRAGMA synchronous` FULL: a commit is on disk before it returns. */
const SYNCHRONOUS_FULL = 2;

/**
 * Opens the database, makes it durable and brings it to the newest version. Only the owner can read a new file.
 * @throws AppError `database_unusable`
 */
export function openDatabase(file: string): Database {
  let database: Database | undefined;
  try {
    if (file !== IN_MEMORY) makePrivateFile(file);
    database = new BetterSqlite(file, { timeout: BUSY_TIMEOUT_MS });
    refuseForeign(database);
    makeDurable(database, file);
    migrate(database);
    return database;
  } catch (error) {
    database?.close();
    throw databaseUnusable(file, error);
  }
}

export function databaseUnusable(file: string, error: unknown): AppError {
  return new AppError('database_unusable', { file, reason: reasonOf(error) }, error);
}

/**
 * Moves everything from the write-ahead log into the file, so that the file alone is whole, and closes it.
 * @throws AppError `database_not_whole`. The database is closed then, and the log beside it keeps what was committed.
 */
export function closeDatabase(database: Database): void {
  if (!database.open) return;
  try {
    if (!database.memory) database.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    throw new AppError('database_not_whole', { file: database.name, reason: reasonOf(error) }, error);
  } finally {
    database.close();
  }
}

/** @throws Error for the database of another program, or of a newer version of this program */
export function refuseForeign(database: Database): void {
  const id = database.pragma('application_id', { simple: true });
  const version = versionOf(database);
  const tables = database.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get();
  const isNew = id === 0 && version === 0 && tables === 0;
  if (!isNew && id !== APPLICATION_ID) throw new Error('it is a database of another program');
  if (version > MIGRATIONS.length) throw new Error('it was written by a newer version of this program');
}

/** The driver compiles WAL databases to NORMAL, which can lose the last commits in a power cut. So FULL is set and checked. */
function makeDurable(database: Database, file: string): void {
  const mode = database.pragma('journal_mode = WAL', { simple: true });
  if (mode !== (file === IN_MEMORY ? 'memory' : 'wal'))
    throw new Error('it does not support write-ahead logging');
  database.pragma('synchronous = FULL');
  if (database.pragma('synchronous', { simple: true }) !== SYNCHRONOUS_FULL) {
    throw new Error('it does not support full synchronisation');
  }
  database.pragma('foreign_keys = ON');
  // The undo log of a savepoint would become a file otherwise.
  database.pragma('temp_store = MEMORY');
}

/** Brings a database to the newest version. */
export function migrate(database: Database): void {
  addExactSums(database);
  database
    .transaction(() => {
      // Read in the transaction, because another process may migrate at the same time.
      const done = versionOf(database);
      if (done === MIGRATIONS.length) return;
      for (const script of MIGRATIONS.slice(done)) database.exec(script);
      database.pragma(`user_version = ${MIGRATIONS.length}`);
      database.pragma(`application_id = ${APPLICATION_ID}`);
    })
    .immediate();
}

/**
 * The same database, which prepares a statement when it is first run. A start runs few of them, and to prepare all takes a third of its
 * time. A database of a file prepares all at once, so that one without a table of ours is found at the start.
 */
export function preparingLate(database: Database): Database {
  if (!database.memory) return database;
  return Object.create(database, {
    prepare: { value: (sql: string) => lateStatement(() => database.prepare(sql)) },
  }) as Database;
}

function lateStatement(prepare: () => Statement): Pick<Statement, 'all' | 'get' | 'pluck' | 'run'> {
  let statement: Statement | undefined;
  const prepared = (): Statement => (statement ??= prepare());
  return {
    all: (...values) => prepared().all(...values),
    get: (...values) => prepared().get(...values),
    run: (...values) => prepared().run(...values),
    pluck: () => lateStatement(() => prepare().pluck()) as Statement,
  };
}

const versionOf = (database: Database): number => database.pragma('user_version', { simple: true }) as number;

/** SQLite makes two files beside the database, so a folder that is not writable is a reason, too. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof BetterSqlite.SqliteError)) return fileReason(error);
  return error.code.startsWith('SQLITE_READONLY') ? 'the file or its folder can only be read' : error.message;
}
