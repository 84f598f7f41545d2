import Database from 'better-sqlite3';
import { AppError } from '../../core/app-error.ts';
import type { RunDatabase } from './run-database.ts';
import { Damage } from './sealed.ts';

/** What the disk says when it does not take any more, by the first part of the code. */
const DISK: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_FULL/, 'the disk is full'],
  [/^SQLITE_(IOERR|CANTOPEN)/, 'the disk cannot be read or written'],
  [/^SQLITE_READONLY/, 'the file can only be read'],
];

/**
 * The verbs, with what the disk does not take as `run_write_failed` and what cannot be right as `run_damaged`. A verb that
 * throws has changed nothing.
 */
export function recorded<V extends object>(db: RunDatabase, verbs: V): V {
  const guarded = Object.entries(verbs).map(([name, verb]) => [
    name,
    (...args: readonly unknown[]): unknown => onDisk(db, () => (verb as Verb)(...args)),
  ]);
  return Object.fromEntries(guarded) as V;
}

/** Does something with a run file. @throws AppError `run_write_failed`, `run_damaged` */
export function onDisk<T>(db: RunDatabase, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw failureOfFile(db.name, error) ?? error;
  }
}

/** Rows that are read one after the other. @throws AppError `run_write_failed`, `run_damaged` */
export function* readOnDisk<T>(db: RunDatabase, rows: Iterable<T>): Generator<T> {
  try {
    yield* rows;
  } catch (error) {
    throw failureOfFile(db.name, error) ?? error;
  }
}

type Verb = (...args: readonly unknown[]) => unknown;

function failureOfFile(file: string, error: unknown): AppError | undefined {
  if (tellsOfDamage(error)) return new AppError('run_damaged', { file, reason: reasonOf(error) }, error);
  if (!(error instanceof Database.SqliteError)) return undefined;
  const reason = DISK.find(([code]) => code.test(error.code))?.[1];
  return reason === undefined
    ? undefined
    : new AppError('run_write_failed', { reason: `${reason} (${error.code})` }, error);
}

/** Whatever this program writes into a run file it can read again; what it cannot was changed. */
function tellsOfDamage(error: unknown): error is Error {
  if (error instanceof Database.SqliteError) return /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
  return error instanceof Damage || error instanceof SyntaxError || error instanceof RangeError;
}

/** The words of a parser may repeat what it read. */
function reasonOf(error: Error): string {
  if (error instanceof Damage) return error.message;
  return error instanceof Database.SqliteError ? 'it is malformed' : 'a value in it cannot be read';
}
