import Database from 'better-sqlite3';
import type { RunDatabase } from '../../src/cli/journal/database/run-database.ts';

/** The failure of a disk that does not take a write. */
export type DiskError = 'SQLITE_FULL' | 'SQLITE_IOERR_WRITE' | 'SQLITE_IOERR_FSYNC';

/** A journal on a disk that counts its writes and fails one of them. */
export interface FailingDisk {
  readonly db: RunDatabase;
  /** Writes so far: statements that change something, and commits. */
  readonly writes: () => number;
}

/** `write`: number of the failing write, from 1; 0 for none. `lasting`: whether every later write fails, too. */
export function failingDisk(
  db: RunDatabase,
  failure: { readonly write: number; readonly error: DiskError; readonly lasting: boolean },
): FailingDisk {
  let writes = 0;
  const write = (): void => {
    writes++;
    const isDue = failure.lasting ? writes >= failure.write : writes === failure.write;
    if (failure.write > 0 && isDue) throw new Database.SqliteError('the disk', failure.error);
  };
  const prepare = (sql: string): Database.Statement => {
    const statement = db.prepare(sql);
    if (statement.readonly) return statement;
    return new Proxy(statement, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...args: readonly unknown[]): unknown => {
          if (['run', 'get', 'all'].includes(String(name))) write();
          return (value as (...given: readonly unknown[]) => unknown).apply(target, [...args]);
        };
      },
    });
  };
  // The commit is the last step that can fail. The whole transaction, or the savepoint in it, is then undone.
  const transaction = (operation: (...args: readonly unknown[]) => unknown) =>
    db.transaction((...args: readonly unknown[]): unknown => {
      const result = operation(...args);
      write();
      return result;
    });
  const proxied = new Proxy(db, {
    get(target, name) {
      if (name === 'prepare') return prepare;
      if (name === 'transaction') return transaction;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { db: proxied, writes: () => writes };
}
