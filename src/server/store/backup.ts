import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import BetterSqlite, { type Database } from 'better-sqlite3';
import type { Instant } from '../../core/values/instant.ts';
import { comparisonOf, type StateComparison } from './compare-states.ts';
import { migrate, refuseForeign } from './database.ts';

// A state is a SQLite database with the tables of the platform and one more table, `state`: when and by which version of the
// program it was written, and a digest of all rows. API keys belong to the server, and the identity to the database, so a state
// has neither. A state is written, checked and copied row by row in a file, so it may be larger than the memory.

/** When a state was written, and by which version of the program. */
export type StateHead = { readonly written_at: Instant; readonly written_by: string };

/** A file or bytes that are not a state of this program. The message is for people and contains no value. */
export class UnfitState extends Error {}

/** Writes a state into a file that is empty or does not exist. */
export function backup(database: Database, file: string, { written_at, written_by }: StateHead): void {
  // Copies no free pages, which may contain a deleted key.
  database.prepare('VACUUM INTO ?').run(file);
  const state = new BetterSqlite(file);
  try {
    // A journal on disk would be one more file with keys.
    state.pragma('journal_mode = MEMORY');
    // Overwrites the keys with zeros.
    state.pragma('secure_delete = ON');
    const finish = state.transaction(() => {
      state.exec(`DELETE FROM api_keys;
        DELETE FROM database_identity;
        CREATE TABLE state (written_at TEXT, written_by TEXT, sha256 TEXT) STRICT`);
      const sha256 = digestOf(state, { written_at, written_by });
      state.prepare('INSERT INTO state VALUES (?, ?, ?)').run(written_at, written_by, sha256);
    });
    finish.immediate();
  } finally {
    state.close();
  }
}

/**
 * Replaces everything but API keys and identity by the state in a file, or changes nothing. A state of an older version is
 * migrated in its file. `alongside` runs in the same transaction.
 * @throws UnfitState with the reason
 */
export function restore(database: Database, file: string, alongside: () => void): void {
  inState(file, (state) => {
    checkWhole(state);
    migrateTo(database, state);
    const replace = database.transaction(() => {
      copyRows(state, database);
      alongside();
    });
    replace.immediate();
  });
}

/**
 * Compares the state in a file with a later one: that in another file, or else what the database has. States of an older version
 * are migrated in their files.
 * @throws UnfitState with the reason
 */
export function compare(
  database: Database,
  files: { earlier: string; later: string | undefined },
  page: { offset: number; limit: number },
): StateComparison {
  const attached: string[] = [];
  try {
    for (const [name, file] of Object.entries(files)) {
      if (file === undefined) continue;
      inState(file, (state) => migrateTo(database, state));
      database.prepare(`ATTACH ? AS ${name}`).run(file);
      attached.push(name);
    }
    return comparisonOf(database, files.later === undefined ? 'main' : 'later', page);
  } catch (error) {
    // The rows are not compared with the checksum, which would take as long as a restore.
    const { code = '' } = error as { code?: string };
    throw /^SQLITE_(ERROR|CORRUPT)/.test(code) ? new UnfitState(DAMAGED) : error;
  } finally {
    for (const name of attached) database.exec(`DETACH ${name}`);
  }
}

function inState<T>(file: string, work: (state: Database) => T): T {
  const state = opened(file);
  try {
    state.pragma('journal_mode = MEMORY');
    return work(state);
  } finally {
    state.close();
  }
}

/** @throws UnfitState when the tables differ from those of the database */
function migrateTo(database: Database, state: Database): void {
  migrate(state);
  if (schemaOf(state) !== schemaOf(database))
    throw new UnfitState('its tables are not those of this program');
}

/** The head of the state in a file or in bytes; undefined when there is none. */
export function headOf(source: string | Buffer): StateHead | undefined {
  try {
    const state = opened(source, { readonly: true });
    try {
      const { written_at, written_by } = headIn(state);
      return { written_at, written_by };
    } finally {
      state.close();
    }
  } catch {
    return undefined;
  }
}

function opened(source: string | Buffer, options?: BetterSqlite.Options): Database {
  let state: Database | undefined;
  try {
    state = new BetterSqlite(source, options);
    refuseForeign(state);
    headIn(state);
    const bytes = typeof source === 'string' ? statSync(source).size : source.length;
    if (numberOf('page_count', state) * numberOf('page_size', state) !== bytes) throw new UnfitState(DAMAGED);
    return state;
  } catch (error) {
    state?.close();
    const { code, message } = error as { code?: string; message: string };
    throw new UnfitState(code === undefined ? message : code === 'SQLITE_NOTADB' ? NO_STATE : DAMAGED);
  }
}

function numberOf(pragma: string, state: Database): number {
  return state.pragma(pragma, { simple: true }) as number;
}

const NO_STATE = 'it is not a state of dataimport serve';
const DAMAGED = 'it is damaged, or its end is missing';

function headIn(state: Database): StateHead & { sha256: string } {
  const table = state.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'state'").get();
  const head = table && state.prepare('SELECT * FROM state').get();
  if (!head) throw new UnfitState(NO_STATE);
  return head as ReturnType<typeof headIn>;
}

/** @throws UnfitState */
function checkWhole(state: Database): void {
  if (state.pragma('integrity_check(1)', { simple: true }) !== 'ok') throw new UnfitState(DAMAGED);
  const [stray] = state.pragma('foreign_key_check') as { table: string }[];
  if (stray) throw new UnfitState(`a row of ${stray.table} refers to a row that is missing`);
  const { sha256, ...head } = headIn(state);
  if (digestOf(state, head) !== sha256) throw new UnfitState('it was changed: its checksum is another');
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

function digestOf(state: Database, { written_at, written_by }: StateHead): string {
  const hash = createHash('sha256').update(JSON.stringify([written_at, written_by]));
  for (const table of tablesOf(state)) {
    const rows = state.prepare<[], unknown[]>(`SELECT * FROM ${table} ORDER BY rowid`).raw();
    for (const row of rows.iterate()) hash.update(JSON.stringify([table, row]));
  }
  return hash.digest('hex');
}

const OWN = "name NOT LIKE 'sqlite%' AND name NOT IN ('state', 'api_keys', 'database_identity')";

/** The tables that a state has rows of. */
function tablesOf(database: Database): readonly string[] {
  const select = `SELECT name FROM sqlite_schema WHERE type = 'table' AND ${OWN} ORDER BY name`;
  return database.prepare<[], string>(select).pluck().all();
}

function schemaOf(database: Database): string {
  const select = `SELECT type, name, sql FROM sqlite_schema WHERE ${OWN} ORDER BY name`;
  return JSON.stringify(database.prepare(select).all());
}
