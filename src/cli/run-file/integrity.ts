import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { AppError } from '../../core/app-error.ts';
import type { AccountKey } from '../../core/contract/account.ts';
import type { RunDatabase } from './run-database.ts';

/** A run file contains something that this program never wrote. */
export class Damage extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'Damage';
  }
}

/** The parts of a record that decide what is sent, and what is reported about it. */
export interface RecordContent {
  readonly id: string | null;
  readonly type: string | null;
  readonly amount: string | null;
  readonly payload: string;
  /** As JSON text; null when there are none. */
  readonly parts: string | null;
}

/** The checksum that a record is staged with. */
export function checksumOf(
  { import_supplier, external_account_number }: AccountKey,
  { id, type, amount, payload, parts }: RecordContent,
): number {
  return crc32(
    `${import_supplier}\0${external_account_number}\0${id}\0${type}\0${amount}\0${parts}\0${payload}`,
  );
}

/** @throws Damage when a record differs from what was staged */
export function assertUnchanged(
  account: AccountKey,
  record: RecordContent & { readonly line: number; readonly checksum: number },
): void {
  if (checksumOf(account, record) !== record.checksum)
    throw new Damage(`the record of line ${record.line} is not what was staged`);
}

/** A value as JSON text, preceded by its checksum. */
export function seal(value: unknown): string {
  const text = JSON.stringify(value);
  return `${crc32(text)} ${text}`;
}

/** The value that was sealed. @throws Damage */
export function unseal<T>(sealed: string): T {
  const end = sealed.indexOf(' ');
  const text = sealed.slice(end + 1);
  if (sealed.slice(0, end) !== String(crc32(text))) throw new Damage('a text in it is not what was written');
  return JSON.parse(text) as T;
}

/** Errors of a disk that takes no more, by the first part of the code. */
const DISK: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_FULL/, 'the disk is full'],
  [/^SQLITE_(IOERR|CANTOPEN)/, 'the disk cannot be read or written'],
  [/^SQLITE_READONLY/, 'the file can only be read'],
];

/** Runs an operation on a run file. @throws AppError `run_write_failed`, `run_damaged` */
export function guard<T>(db: RunDatabase, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw failureOf(db.name, error) ?? error;
  }
}

/** Guards each of the operations. An operation that throws has changed nothing. */
export function guarded<Operations extends object>(db: RunDatabase, operations: Operations): Operations {
  type Operation = (...args: readonly unknown[]) => unknown;
  const all = Object.entries(operations).map(([name, operation]) => [
    name,
    (...args: readonly unknown[]): unknown => guard(db, () => (operation as Operation)(...args)),
  ]);
  return Object.fromEntries(all) as Operations;
}

/** Guards the reading of rows, one after the other. @throws AppError `run_write_failed`, `run_damaged` */
export function* guardedRows<T>(db: RunDatabase, rows: Iterable<T>): Generator<T> {
  try {
    yield* rows;
  } catch (error) {
    throw failureOf(db.name, error) ?? error;
  }
}

function failureOf(file: string, error: unknown): AppError | undefined {
  if (provesDamage(error)) return new AppError('run_damaged', { file, reason: reasonOf(error) }, error);
  if (!(error instanceof Database.SqliteError)) return undefined;
  const reason = DISK.find(([code]) => code.test(error.code))?.[1];
  return reason === undefined
    ? undefined
    : new AppError('run_write_failed', { reason: `${reason} (${error.code})` }, error);
}

/** This program can read everything that it wrote into a run file, so an unreadable value was changed by others. */
function provesDamage(error: unknown): error is Error {
  if (error instanceof Database.SqliteError) return /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
  return error instanceof Damage || error instanceof SyntaxError || error instanceof RangeError;
}

/** The message of a parser may quote its input, so it is replaced. */
function reasonOf(error: Error): string {
  if (error instanceof Damage) return error.message;
  return error instanceof Database.SqliteError ? 'it is malformed' : 'a value in it cannot be read';
}
