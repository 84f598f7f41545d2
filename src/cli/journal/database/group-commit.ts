import { statSync } from 'node:fs';
import { AppError } from '../../../core/app-error.ts';
import { guard } from './integrity.ts';
import type { RunDatabase } from './run-database.ts';

/**
 * Runs an operation in the next commit. The promise resolves when the commit is on disk. An operation that throws has changed
 * nothing, and rejects its own promise alone. An operation may run twice, because another one has thrown.
 * @throws AppError `run_write_failed`, `run_damaged`
 */
export type InNextCommit = <T>(operation: () => T) => Promise<T>;

interface Waiting {
  readonly run: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The end of an operation, reported when its commit is on disk. */
type Report = () => void;

/**
 * Lets the operations of one turn of the event loop share a commit, because every commit waits for the disk. `onCommit` is called
 * after each, and `assertThere` before each.
 *
 *     waiting ──end of the turn──▶ done ──COMMIT──▶ on disk, resolved
 *                                    │      │
 *                                    │      └ fails: all are undone and rejected
 *                                    ├ the disk does not take one: all are undone and rejected
 *                                    └ one throws: all are undone, and done again in a savepoint each; it is rejected
 *
 * A savepoint for each operation from the start would write a copy of every page that two operations change: four fifths of all
 * writes of a run.
 */
export function groupCommit(
  db: RunDatabase,
  onCommit: () => void = () => undefined,
  assertThere = whileThere(db.name),
): InNextCommit {
  let waiting: Waiting[] = [];
  let hasThrown = false;
  const together = db.transaction((group: readonly Waiting[]): readonly Report[] =>
    group.map(({ run, resolve }) => {
      try {
        const value = run();
        return () => resolve(value);
      } catch (error) {
        hasThrown = true;
        throw error;
      }
    }),
  );
  // A transaction within a transaction is a savepoint.
  const inSavepoint = db.transaction((operation: () => unknown) => operation());
  const oneByOne = db.transaction((group: readonly Waiting[]): readonly Report[] => {
    const failed: Report[] = [];
    const succeeded: Report[] = [];
    for (const { run, resolve, reject } of group) {
      try {
        const value = guard(db, () => inSavepoint(run));
        succeeded.push(() => resolve(value));
      } catch (error) {
        // After some errors of the disk SQLite has undone the whole transaction. What follows would commit on its own.
        if (!db.inTransaction) throw error;
        failed.push(() => reject(error));
      }
    }
    // Failures are reported first, because the run stops at a failure, and no request may begin after it.
    return [...failed, ...succeeded];
  });
  const done = (group: readonly Waiting[]): readonly Report[] => {
    hasThrown = false;
    try {
      return guard(db, () => together(group));
    } catch (error) {
      // A disk that did not take a write is not asked again, so that the run stops at its first failure.
      const isOfDisk = error instanceof AppError && error.code === 'run_write_failed';
      if (!hasThrown || isOfDisk) throw error;
      return guard(db, () => oneByOne(group));
    }
  };
  const commit = (): void => {
    const group = waiting;
    waiting = [];
    try {
      // Nobody would find what is written into a file that is gone.
      assertThere();
      const reports = done(group);
      onCommit();
      for (const report of reports) report();
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

/** A function that makes sure that a path still leads to the file that it leads to now. @throws AppError `run_file_gone` */
export function whileThere(path: string): () => void {
  const identity = (): string | undefined => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && `${found.dev} ${found.ino}`;
  };
  if (path === '') return () => undefined;
  const before = identity();
  return () => {
    if (identity() !== before) throw new AppError('run_file_gone', { file: path });
  };
}
