import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { temporaryFailure } from '../../../core/file-reason.ts';
import { commandLine } from '../../../core/command-line.ts';
import { AppError } from '../../../core/app-error.ts';
import type { AccountKey } from '../../../core/contract/account.ts';
import { diskObstacle } from './access.ts';

/** A journal contains something that this program never wrote. */
export class DamageError extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'DamageError';
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

export function checksumOf(
  { import_supplier, external_account_number }: AccountKey,
  { id, type, amount, payload, parts }: RecordContent,
): number {
  return crc32(
    `${import_supplier}\0${external_account_number}\0${id}\0${type}\0${amount}\0${parts}\0${payload}`,
  );
}

/** @throws DamageError when a record differs from what was staged */
export function assertUnchanged(
  account: AccountKey,
  record: RecordContent & { line: number; checksum: number },
): void {
  if (checksumOf(account, record) !== record.checksum)
    throw new DamageError(`the record of line ${record.line} is not what was staged`);
}

/** A value as JSON text, preceded by its checksum. */
export function seal(value: unknown): string {
  const text = JSON.stringify(value);
  return `${crc32(text)} ${text}`;
}

/** The value that was sealed. */
export function unseal<T>(sealed: string): T {
  // A damaged page may have a number in place of the text.
  const [checksum = ''] = String(sealed).split(' ', 1);
  const text = String(sealed).slice(checksum.length + 1);
  if (checksum !== String(crc32(text))) throw new DamageError('a text in it is not what was written');
  return JSON.parse(text) as T;
}

/** Runs an operation on a journal. */
export function guard<T>(db: Database.Database, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw failureOf(db.name, error) ?? error;
  }
}

/**
 * Guards each of the operations, and the rows that it gives one after the other. An operation that throws has changed nothing. `prepare` is
 * called before each.
 */
export function guarded<
  Operations extends { readonly [Name in keyof Operations]: (...args: never) => unknown },
>(db: Database.Database, operations: Operations, prepare: () => void = () => undefined): Operations {
  type Operation = (...args: readonly unknown[]) => unknown;
  const all = Object.entries(operations).map(([name, operation]) => [
    name,
    (...args: readonly unknown[]): unknown => {
      const result = guard(db, () => {
        prepare();
        return (operation as Operation)(...args);
      });
      return isRows(result) ? guardedRows(db, result) : result;
    },
  ]);
  return Object.fromEntries(all) as Operations;
}

const isRows = (result: unknown): result is Iterable<unknown> =>
  typeof result === 'object' && result !== null && 'next' in result;

function* guardedRows(db: Database.Database, rows: Iterable<unknown>): Generator<unknown> {
  try {
    yield* rows;
  } catch (error) {
    throw failureOf(db.name, error) ?? error;
  }
}

function failureOf(file: string, error: unknown): AppError | undefined {
  const obstacle = diskObstacle(error);
  if (!obstacle) return damagedBy(file, error);
  const { reason, remedy } = obstacle;
  if (file === '') return temporaryFailure(reason, error, remedy);
  // Commands that know more flags name the command with them.
  const resume = commandLine('resume', []);
  return new AppError('run_write_failed', { reason, remedy, resume }, error);
}

/** The error of a journal whose content is wrong; undefined for an error that does not prove that. */
export function damagedBy(file: string, error: unknown): AppError | undefined {
  const reason = damageIn(error);
  return reason === undefined ? undefined : new AppError('run_damaged', { file, reason }, error);
}

/** This program can read everything that it wrote into a journal, and add to it, so others have changed a file that it cannot. */
function damageIn(error: unknown): string | undefined {
  if (error instanceof DamageError) return error.message;
  // The message of a parser may quote its input.
  if (error instanceof SyntaxError || error instanceof RangeError) return 'a value in it cannot be read';
  if (!(error instanceof Database.SqliteError)) return undefined;
  const { code, message } = error;
  if (code.startsWith('SQLITE_CONSTRAINT')) return 'its tables contradict each other';
  if (code === 'SQLITE_NOTADB') return 'it is not a database';
  // SQLite has no code of its own for a format from its future.
  const isMalformed =
    code.startsWith('SQLITE_CORRUPT') || ['unsupported file format', 'malformed JSON'].includes(message);
  return isMalformed ? 'it is malformed' : undefined;
}
