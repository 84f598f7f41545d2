import Database from 'better-sqlite3';
import { AppError } from '../../core/app-error.ts';

/** What the disk says when it does not take any more, by the first part of the code. */
const DISK: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_FULL/, 'the disk is full'],
  [/^SQLITE_(IOERR|CANTOPEN)/, 'the disk cannot be read or written'],
  [/^SQLITE_READONLY/, 'the file can only be read'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'the file is damaged'],
];

/** The verbs, with what the disk does not take as `run_write_failed`. A verb that throws has changed nothing. */
export function recorded<V extends object>(verbs: V): V {
  const guarded = Object.entries(verbs).map(([name, verb]) => [
    name,
    (...args: readonly unknown[]): unknown => onDisk(() => (verb as Verb)(...args)),
  ]);
  return Object.fromEntries(guarded) as V;
}

/** Does something with a run file. @throws AppError `run_write_failed` when the disk does not let it */
export function onDisk<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw diskFailure(error) ?? error;
  }
}

type Verb = (...args: readonly unknown[]) => unknown;

function diskFailure(error: unknown): AppError | undefined {
  if (!(error instanceof Database.SqliteError)) return undefined;
  const reason = DISK.find(([code]) => code.test(error.code))?.[1];
  return reason === undefined
    ? undefined
    : new AppError('run_write_failed', { reason: `${reason} (${error.code})` }, error);
}
