import Database from 'better-sqlite3';
import { openRunDatabase } from '../../src/cli/journal/database/run-database.ts';

type Db = Database.Database;

/** Errors of a disk that cannot be written. */
export const DISK_ERRORS = ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_FSYNC'] as const;
export type DiskError = (typeof DISK_ERRORS)[number];

/** A disk whose nth write fails once. Writes are statements that change something, and commits. */
export interface FailingDisk {
  readonly open: typeof openRunDatabase;
  /** Writes so far. */
  readonly writes: number;
  /** Whether the failing write has happened. */
  readonly hasFailed: boolean;
}

export function failingDisk(failsAt: number, code: DiskError, onFailure: () => void): FailingDisk {
  const disk = {
    writes: 0,
    hasFailed: false,
    open: (path: string) => wrapped(openRunDatabase(path)),
  };
  const write = (): void => {
    disk.writes++;
    if (disk.writes !== failsAt) return;
    disk.hasFailed = true;
    onFailure();
    throw new Database.SqliteError('disk I/O error', code);
  };
  const wrapped = (db: Db): Db =>
    instead(db, {
      prepare: (sql: string) => {
        const statement = db.prepare(sql);
        if (statement.reader || !/^\s*(INSERT|UPDATE|DELETE)/i.test(sql)) return statement;
        return instead(statement, {
          run: (...args: unknown[]) => {
            write();
            return statement.run(...args);
          },
        });
      },
      // The commit is the last step that can fail. The whole transaction is then undone.
      transaction: (act: (...args: unknown[]) => unknown) =>
        db.transaction((...args: unknown[]) => {
          const result = act(...args);
          write();
          return result;
        }),
    });
  return disk;
}

/** An object with some methods replaced. The other methods run on the object itself. */
function instead<T extends object>(target: T, methods: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get: (object, name) => {
      if (typeof name === 'string' && Object.hasOwn(methods, name)) return methods[name];
      const value: unknown = Reflect.get(object, name, object);
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(object) : value;
    },
  });
}
