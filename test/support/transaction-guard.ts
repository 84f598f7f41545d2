import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';

/** A statement that begins or ends a transaction, that sets up a connection, or that no transaction may contain. */
const OUTSIDE = /^\s*(BEGIN|COMMIT|ROLLBACK|PRAGMA|SELECT|VACUUM|ATTACH|DETACH)\b/i;

/** Every statement changes a temporary table, which no other connection sees. */
const isTemporary = (sql: string): boolean =>
  sql
    .split(';')
    .filter((statement) => statement.trim() !== '')
    .every((statement) =>
      /^\s*(CREATE TEMP TABLE|(DROP TABLE IF EXISTS|DELETE FROM|INSERT INTO|UPDATE) temp\.)/i.test(statement),
    );

/** The index over the journals is a cache. A write of it that returns no row fails where it is made. */
const isIndex = (db: Database.Database): boolean => db.name.endsWith('history.index');

/**
 * Collects the SQL of every write outside a transaction, in any database file of this process, until the test has finished.
 * Databases in memory are left out, because no disk can refuse their commits.
 */
export function writesOutsideTransactions(): readonly string[] {
  const found: string[] = [];
  const { prepare, exec } = Database.prototype;
  const note = (db: Database.Database, sql: string): void => {
    if (db.inTransaction || db.memory || isTemporary(sql)) return;
    if (isIndex(db) && !/\bRETURNING\b/i.test(sql)) return;
    found.push(sql.trim().replaceAll(/\s+/g, ' '));
  };
  Database.prototype.prepare = function (this: Database.Database, sql: string) {
    const statement = prepare.call(this, sql);
    if (statement.readonly || OUTSIDE.test(sql)) return statement;
    const { run, get, all, iterate } = statement;
    const noting =
      <Arguments extends unknown[], Result>(act: (...args: Arguments) => Result) =>
      (...args: Arguments): Result => {
        note(this, sql);
        return act.apply(statement, args);
      };
    Object.assign(statement, {
      run: noting(run),
      get: noting(get),
      all: noting(all),
      iterate: noting(iterate),
    });
    return statement;
  } as typeof prepare;
  Database.prototype.exec = function (this: Database.Database, sql: string) {
    if (!OUTSIDE.test(sql)) note(this, sql);
    return exec.call(this, sql);
  };
  onTestFinished(() => void Object.assign(Database.prototype, { prepare, exec }));
  return found;
}
