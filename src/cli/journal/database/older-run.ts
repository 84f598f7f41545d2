import Database from 'better-sqlite3';
import { isAny, valueOf } from './queries.ts';

/** The version of the program that wrote a file, as this program and older ones note it. */
export function writerOf(db: Database.Database, table: 'journal' | 'run'): string {
  try {
    return valueOf<string>(db, `SELECT tool_version FROM ${table}`) ?? ANOTHER;
  } catch {
    return ANOTHER;
  }
}

const ANOTHER = 'another version';

/** The version of an older program that wrote a run, when something of it may be left to send or to find out; undefined otherwise. */
export function writerOfUnfinished(path: string): string | undefined {
  try {
    const db = new Database(path, { fileMustExist: true, timeout: 0 });
    try {
      db.pragma('locking_mode = EXCLUSIVE');
      return isAny(db, "SELECT 1 FROM batch WHERE state <> 'done'") ? writerOf(db, 'run') : undefined;
    } finally {
      db.close();
    }
  } catch {
    return ANOTHER;
  }
}
