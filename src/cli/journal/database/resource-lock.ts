import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from 'node:crypto';
import { AppError } from '../../../core/app-error.ts';
import type { Shard } from '../../push/ports/run.ts';
import { takeLock, withLock } from './folder-lock.ts';
import { platformOf, type RunScope } from './run-header.ts';

/**
 * Keeps a resource of a supplier of a target for one process, or a shard of it. Processes with other shards of the same number go on beside it, and all
 * others wait for their turn. Each lock is the lock of an empty SQLite file, so it goes with the process, however that ends.
 * @returns the function that gives the lock back
 * @throws AppError `resource_locked` when another process has it, `run_not_writable`
 */
export function lockResource(
  folder: string,
  scope: RunScope & { readonly supplier: string },
  shard: Shard | undefined,
): () => void {
  const stem = `${scope.resource}-${hash('sha256', `${platformOf(scope)} ${scope.supplier}`).slice(0, 8)}`;
  // While nobody else takes a lock here, so that two processes with other numbers of shards do not pass each other.
  return withLock(join(folder, 'begin.lock'), () => {
    const wanted = shard ? `${stem}-${shard.index}of${shard.count}.lock` : `${stem}.lock`;
    const { resource, target } = scope;
    const take = (name: string) =>
      takeLock(join(folder, name), 0, () => new AppError('resource_locked', { resource, target }));
    const own = take(wanted);
    const isOther = (name: string): boolean =>
      name.startsWith(stem) && name.endsWith('.lock') && name !== wanted && !isBeside(name, stem, shard);
    try {
      for (const name of readdirSync(folder).filter(isOther)) take(name).close();
    } catch (error) {
      own.close();
      throw error;
    }
    return () => void own.close();
  });
}

/** Whether a lock belongs to another shard of the same number. */
function isBeside(name: string, stem: string, shard: Shard | undefined): boolean {
  return shard !== undefined && name.slice(stem.length).endsWith(`of${shard.count}.lock`);
}
