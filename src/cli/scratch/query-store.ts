import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { temporaryFailure } from '../../core/file-reason.ts';
import { QUERY_FOLDER, queryFolders } from '../../files/private-folder.ts';
import { inPortions } from './portions.ts';
import { define, type Row, type StoreFunctions } from './query-rows.ts';

/** An empty file whose lock says that a process uses the folder. The lock goes with the process, however that ends. */
const LOCK = 'lock';

const TABLES = 'tables';

/** Age at which a folder without tables belongs to no process that is about to make them, in milliseconds. */
const ABANDONED_MS = 60_000;

/** A line of the first table: its lines and bytes in the file. `part`: it is no row, and why. */
export interface StoredLine {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly part: string | null;
}

/** A column of the result of a query; `table` and `column` are null for one that is calculated. */
export interface ResultColumn {
  readonly name: string;
  readonly table: string | null;
  readonly column: string | null;
}

/** A step of the program of SQLite. */
export type QueryStep = { readonly opcode: string; readonly p2: number; readonly p4: string | null };

/** A query that SQLite can run. */
export interface PreparedQuery {
  readonly columns: readonly ResultColumn[];
  readonly steps: readonly QueryStep[];
}

/**
 * Opens an empty database in a private folder, for the tables of a query. A second process reads it by its path, so it has a name, and is
 * removed when it is closed; after a kill `removeAbandonedQueries` does that.
 * @throws AppError `temporary_file_not_written`
 */
export function openQueryStore() {
  let folder: string | undefined;
  let lock: Database.Database | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), QUERY_FOLDER));
    closeSync(openSync(join(folder, LOCK), 'wx', 0o600));
    lock = new Database(join(folder, LOCK));
    lock.exec('BEGIN EXCLUSIVE');
    // Last, because a folder with it and without a lock is abandoned.
    closeSync(openSync(join(folder, TABLES), 'wx', 0o600));
  } catch (error) {
    lock?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    throw temporaryFailure(tmpdir(), error);
  }
  const place = folder;
  const path = join(place, TABLES);
  const db = new Database(path);
  // Nothing of it outlives the command.
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.exec(`CREATE TABLE query_line (
    firstLine INTEGER PRIMARY KEY, lastLine INTEGER, byteStart INTEGER, byteEnd INTEGER, part TEXT) STRICT`);
  const insertLine = db.prepare('INSERT INTO query_line VALUES (?, ?, ?, ?, ?)');
  const rows = inPortions<{ insert: Database.Statement; row: Row }>(db, ({ insert, row }) => insert.run(row));
  const lineAt = db.prepare<[number], StoredLine>('SELECT * FROM query_line WHERE firstLine = ?');
  const linesBetween = db.prepare<[number, number], StoredLine>(
    'SELECT * FROM query_line WHERE firstLine > ? AND firstLine < ? ORDER BY firstLine LIMIT 1000',
  );
  return {
    path,
    /** Makes a table of texts with `_row`. @throws SqliteError for names that SQL cannot tell apart */
    createTable(name: string, columns: readonly string[]) {
      db.exec(
        `CREATE TABLE ${quoted(name)} (_row INTEGER PRIMARY KEY, ${columns.map((each) => `${quoted(each)} TEXT`).join(', ')})`,
      );
      const marks = columns.map(() => '?').join(', ');
      const insert = db.prepare(`INSERT INTO ${quoted(name)} VALUES (?, ${marks})`);
      const cells = db
        .prepare<[number], (string | number)[]>(`SELECT * FROM ${quoted(name)} WHERE _row = ?`)
        .raw();
      return {
        add: (line: number, texts: readonly string[]) => rows.add({ insert, row: [line, ...texts] }),
        /** The cells of a row. */
        cells: (line: number): readonly string[] | undefined => cells.get(line)?.slice(1).map(String),
        /** The first row that has a text in a column. */
        firstWith(text: string): { line: number; column: number } | undefined {
          const either = columns.map((each) => `${quoted(each)} = @text`).join(' OR ');
          const found = db
            .prepare<[object], (string | number)[]>(`SELECT * FROM ${quoted(name)} WHERE ${either} LIMIT 1`)
            .raw()
            .get({ text });
          return found && { line: Number.parseInt(String(found[0]), 10), column: found.indexOf(text, 1) - 1 };
        },
        count: () =>
          db
            .prepare<[], number>(`SELECT count(*) FROM ${quoted(name)}`)
            .pluck()
            .get()!,
        addIndex: (column: string) =>
          void db.exec(`CREATE INDEX ${quoted(`${name} ${column}`)} ON ${quoted(name)} (${quoted(column)})`),
      };
    },
    addLine: ({ firstLine, lastLine, byteStart, byteEnd, part }: StoredLine) =>
      rows.add({ insert: insertLine, row: [firstLine, lastLine, byteStart, byteEnd, part] }),
    flush: rows.flush,
    /** Counts the values of the indexes, without which SQLite takes the index of a column with two values. */
    analyze: () => void db.exec('ANALYZE'),
    lineAt: (line: number) => lineAt.get(line),
    /** The next lines between two lines. */
    linesBetween: (after: number, before: number) => linesBetween.all(after, before),
    /** The columns of the result, and the steps by which SQLite makes it; or why it cannot, as the end of a sentence. */
    prepare(sql: string, functions: StoreFunctions): PreparedQuery | string {
      try {
        define(db, functions);
        const statement = db.prepare(sql);
        if (!statement.reader || !statement.readonly) return 'it is no SELECT';
        return {
          columns: statement
            .columns()
            .map(({ name, table, column }): ResultColumn => ({ name, table, column })),
          steps: db.prepare<[], QueryStep>(`EXPLAIN ${sql}`).all(),
        };
      } catch (error) {
        if (error instanceof Database.SqliteError || error instanceof RangeError) return error.message;
        throw error;
      }
    },
    close() {
      db.close();
      // Another process may look at the lock just now, which makes a file for a moment.
      rmSync(place, { recursive: true, force: true, maxRetries: 5 });
      lock?.close();
    },
  };
}
export type QueryStore = ReturnType<typeof openQueryStore>;
export type QueryTable = ReturnType<QueryStore['createTable']>;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Removes the folders of queries whose processes were killed. A folder in use is locked, and one of another user cannot be removed. */
export function removeAbandonedQueries(nowMs: number): void {
  for (const folder of queryFolders(tmpdir())) {
    try {
      const isNew = !existsSync(join(folder, TABLES)) && nowMs - statSync(folder).mtimeMs < ABANDONED_MS;
      if (!isNew && !isLocked(join(folder, LOCK))) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another process removes it, or it is another user's.
    }
  }
}

/** Also when nobody can say it. */
function isLocked(file: string): boolean {
  const db = new Database(file, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
    return false;
  } catch {
    return true;
  } finally {
    db.close();
  }
}
