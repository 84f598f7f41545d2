import { guard } from './integrity.ts';
import type { RunDatabase } from './run-database.ts';

/**
 * Runs an operation in the next commit. The promise resolves when the commit is on disk. An operation that throws has changed
 * nothing, and rejects its own promise alone.
 * @throws AppError `run_write_failed`, `run_damaged`
 */
export type InNextCommit = <T>(operation: () => T) => Promise<T>;

interface Waiting {
  readonly run: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets the operations of one turn of the event loop share a commit, because every commit waits for the disk.
 *
 *     waiting ──end of the turn──▶ done in a savepoint of its own ──COMMIT──▶ on disk, resolved
 *                                    │                                │
 *                                    └ throws: undone, rejected       └ fails: all are undone and rejected
 */
export function groupCommit(db: RunDatabase): InNextCommit {
  let waiting: Waiting[] = [];
  // A transaction within a transaction is a savepoint.
  const inSavepoint = db.transaction((operation: () => unknown) => operation());
  const inTransaction = db.transaction((group: readonly Waiting[]) => {
    const failed: (() => void)[] = [];
    const succeeded: (() => void)[] = [];
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
  const commit = (): void => {
    const group = waiting;
    waiting = [];
    try {
      for (const report of guard(db, () => inTransaction(group))) report();
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
