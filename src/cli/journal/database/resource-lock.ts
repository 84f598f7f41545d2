import { closeSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { hash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../../core/app-error.ts';
import { makePrivateFolder } from '../../../files/private-folder.ts';
import type { Shard } from '../../push/ports/run.ts';
import { notWritable } from './access.ts';
import { isBusy } from './run-database.ts';
import { platformOf, type RunScope } from './run-header.ts';

const PATIENCE_MS = 30_000;

/**
 * Keeps a resource of a supplier of a target for one process, or a shard of it. Processes with other shards of the same number go on beside it, and all
 * others wait for their turn.
 * @returns the function that gives the lock back
 * @throws AppError `run_locked` when another process has it, `run_locked` when others take too long, `run_not_writable`
 */
export function lockResource(
  folder: string,
  scope: RunScope & { readonly supplier: string },
  shard: Shard | undefined,
): () => void {
  const { resource, target, supplier } = scope;
  const stem = `${resource}-${hash('sha256', `${platformOf(scope)} ${supplier}`).slice(0, 8)}`;
  const wanted = shard ? `${stem}-${shard.index}of${shard.count}.lock` : `${stem}.lock`;
  const isBeside = (name: string): boolean => shard !== undefined && name.endsWith(`of${shard.count}.lock`);
  const isOther = (name: string): boolean =>
    name.startsWith(stem) && name.endsWith('.lock') && name !== wanted && !isBeside(name);
  const ofOther = `another process sends ${resource} to ${target} from this folder`;
  const take = (name: string): Database.Database => takeLock(join(folder, name), 0, ofOther);
  // While nobody else takes a lock here, so that two processes with other numbers of shards do not pass each other.
  const turn = takeLock(
    join(folder, 'begin.lock'),
    PATIENCE_MS,
    `other processes have begun journals in ${folder} for more than ${PATIENCE_MS / 1000} s`,
  );
  let own: Database.Database | undefined;
  try {
    own = take(wanted);
    for (const name of readdirSync(folder).filter(isOther)) take(name).close();
    return () => void own?.close();
  } catch (error) {
    own?.close();
    throw error;
  } finally {
    turn.close();
  }
}

/**
 * Takes the lock of a file until the database is closed. It is the lock of an empty SQLite file, so it goes with the process, however that
 * ends. The file stays: removing it would take it away from the processes that wait for it. `taken`: the reason of the
 * error when another process keeps it for longer than `patienceMs`.
 */
export function takeLock(file: string, patienceMs: number, taken: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    makePrivateFolder(dirname(file));
    // A pipe would be opened for ever, and a device is always in use.
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) {
      const reason = `${basename(file)} is not a regular file`;
      throw new AppError('run_not_writable', { folder: dirname(file), reason, remedy: 'Remove it' });
    }
    // Created before SQLite opens it, because SQLite would only apply the umask.
    closeSync(openSync(file, 'a', 0o600));
    db = new Database(file, { timeout: patienceMs });
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof AppError) throw error;
    throw isBusy(error) ? new AppError('run_locked', { reason: taken }) : notWritable(file, error);
  }
}
