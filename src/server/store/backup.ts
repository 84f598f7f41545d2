import BetterSqlite, { type Database } from 'better-sqlite3';
import { reasonOf, refuseForeign } from './database.ts';

// A state is a database with the tables of the platform. API keys belong to the server and the identity belongs to the database,
// so restoring a state leaves both as they are.

/** A file that is not a state of this program. The message is for people and contains no value. */
export class UnfitState extends Error {}

/** Writes a state into a file that is empty or does not exist. */
export function backup(database: Database, file: string): void {
  // Copies no free pages, which may contain a deleted key.
  database.prepare('VACUUM INTO ?').run(file);
  const state = new BetterSqlite(file);
  try {
    // A journal on disk would be one more file with keys.
    state.pragma('journal_mode = MEMORY');
    // Overwrites the keys with zeros.
    state.pragma('secure_delete = ON');
    state.exec('DELETE FROM api_keys; DELETE FROM database_identity');
  } finally {
    state.close();
  }
}

/**
 * Replaces everything but API keys and identity by a state, or changes nothing. `alongside` runs in the same transaction.
 * @param source the path or the bytes of the state
 * @throws UnfitState with the reason
 */
export function restore(database: Database, source: string | Buffer, alongside: () => void): void {
  let state: Database | undefined;
  try {
    state = new BetterSqlite(source, { fileMustExist: true });
    state.pragma('journal_mode = MEMORY');
    refuseForeign(state);
    if (state.pragma('page_count', { simple: true }) === 0) throw new UnfitState('it is empty');
    if (state.pragma('integrity_check(1)', { simple: true }) !== 'ok') throw new UnfitState('it is damaged');
    if (schemaOf(state) !== schemaOf(database))
      throw new UnfitState('its tables are not those of this program');
    const replace = database.transaction((from: Database) => {
      copyRows(from, database);
      alongside();
    });
    replace.immediate(state);
  } catch (error) {
    throw error instanceof UnfitState ? error : new UnfitState(reasonOf(error));
  } finally {
    state?.close();
  }
}

/** Replaces the rows of one database by those of another with the same tables. Has to run in a transaction. */
function copyRows(from: Database, to: Database): void {
  // Rows refer to rows of tables that come later.
  to.pragma('defer_foreign_keys = ON');
  const tables = tablesOf(to);
  for (const table of tables) to.prepare(`DELETE FROM ${table}`).run();
  // New records get numbers after the highest number that is copied.
  to.prepare('DELETE FROM sqlite_sequence').run();
  for (const table of tables) {
    const rows = from.prepare<[], unknown[]>(`SELECT * FROM ${table} ORDER BY rowid`).raw();
    const places = rows.columns().map(() => '?');
    const insert = to.prepare(`INSERT INTO ${table} VALUES (${places.join(', ')})`);
    for (const row of rows.iterate()) insert.run(row);
  }
}

const OWN = "name NOT LIKE 'sqlite%' AND name NOT IN ('api_keys', 'database_identity')";

/** The tables that a state has rows of. */
function tablesOf(database: Database): readonly string[] {
  const select = `SELECT name FROM sqlite_schema WHERE type = 'table' AND ${OWN} ORDER BY name`;
  return database.prepare<[], string>(select).pluck().all();
}

function schemaOf(database: Database): string {
  const select = `SELECT type, name, sql FROM sqlite_schema WHERE ${OWN} ORDER BY name`;
  return JSON.stringify(database.prepare(select).all());
}
