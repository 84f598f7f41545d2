import { statSync } from 'node:fs';
import { AppError } from '../../../core/app-error.ts';
import { guard } from './integrity.ts';
import type { RunDatabase } from './run-database.ts';

/** Runs an operation in the next commit. The promise resolves when the commit is on disk. When it fails, nothing of it is written. */
export type InNextCommit = <T>(operation: () => T) => Promise<T>;

interface Waiting {
  readonly run: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets the operations of one turn of the event loop share a commit, because every commit waits for the disk. When one of them throws, or
 * the commit fails, all are undone and rejected: the command stops, and the next one finds out what became of its requests. A savepoint for
 * each operation would write a copy of every page that two operations change: four fifths of all writes of a run. `onCommit` is called after
 * each commit, and `assertThere` before each.
 */
export function groupCommit(
  db: RunDatabase,
  onCommit: () => void = () => undefined,
  assertThere = whileThere(db.name),
): InNextCommit {
  let waiting: Waiting[] = [];
  const together = db.transaction((group: readonly Waiting[]) => group.map(({ run }) => run()));
  const commit = (): void => {
    const group = waiting;
    waiting = [];
    try {
      // Nobody would find what is written into a file that is gone.
      assertThere();
      const values = guard(db, () => together(group));
      onCommit();
      for (const [index, { resolve }] of group.entries()) resolve(values[index]);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  return <T>(operation: () => T) =>
    new Promise<T>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(commit);
      waiting.push({ run: operation, resolve: resolve as Waiting['resolve'], reject });
    });
}

/** A function that makes sure that a path still leads to the file that it leads to now. */
export function whileThere(path: string): () => void {
  const identity = (): string | undefined => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && `${found.dev} ${found.ino}`;
  };
  if (path === '') return () => undefined;
  const before = identity();
  return () => {
    if (identity() !== before)
      throw new AppError('run_removed', {
        file: path,
        head: `${path}.head`,
        what: 'was removed, moved or replaced while its records were sent',
      });
  };
}
