import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../core/app-error.ts';
import type { ColumnType } from './column-types.ts';

/** Rows of the first table have their line as `_row`. Those of table n have n times this number more, so that `_row` names its table. */
export const TABLE_STEP = 1_000_000_000_000;

/**
 * Nothing of a query reaches a file, the network or the disk, and its result is the same each time. `a_number`, `a_flag` and `alike` take
 * such values only, so that another one is no query any more. The other macros raise an error while the query runs: `exact` for a float,
 * `single` for a group with several values, `unlike` for a group that has a row twice.
 */
const SET_UP = `
  CREATE MACRO a_number(x) AS CASE WHEN (x - x) IS NULL THEN x ELSE x END;
  CREATE MACRO a_flag(x) AS CASE WHEN coalesce(x, TRUE) THEN x ELSE x END;
  CREATE MACRO alike(x, y) AS CASE WHEN coalesce(x, y) IS NULL THEN x ELSE x END;
  CREATE MACRO exact(x) AS CASE WHEN regexp_matches(typeof(x), 'DOUBLE|FLOAT') THEN error('@query_float') ELSE x END;
  CREATE MACRO single(x) AS CASE WHEN count(DISTINCT x) > 1 THEN error('@query_any_value') ELSE any_value(x) END;
  CREATE MACRO unlike(x, all_rows, rows) AS CASE WHEN all_rows > rows THEN error('@query_row_repeated') ELSE x END;
  CREATE SCHEMA own;
  CREATE TABLE own.line (firstLine BIGINT, lastLine BIGINT, byteStart BIGINT, byteEnd BIGINT, part VARCHAR);
  SET temp_directory = ''; SET TimeZone = 'UTC'; SET threads = 1; SET enable_external_access = false;
  SET autoinstall_known_extensions = false; SET autoload_known_extensions = false; SET lock_configuration = true;`;

/** Opens a database in memory that belongs to the command. */
export async function openQueryDatabase(): Promise<DuckDBConnection> {
  const db = await (await DuckDBInstance.create(':memory:')).connect();
  await db.run(SET_UP);
  return db;
}

/** A column of a table, and the kind of its cells. */
export type TableColumn = { readonly name: string; readonly kind: ColumnType['kind'] };

const SQL_TYPES = { text: 'VARCHAR', integer: 'BIGINT', date: 'DATE', datetime: 'TIMESTAMPTZ' } as const;

/** Makes an empty table of `_row` and texts. */
export async function createTable(
  db: DuckDBConnection,
  table: string,
  columns: readonly TableColumn[],
): Promise<void> {
  const texts = columns.map(({ name }) => `${quoted(name)} VARCHAR`);
  await db.run(`CREATE OR REPLACE TABLE ${quoted(table)} (${['_row BIGINT', ...texts].join(', ')})`);
}

/** Gives the columns of a table their types. A decimal column has as many decimals as its longest cell. */
export async function settleTypes(
  db: DuckDBConnection,
  table: string,
  columns: readonly TableColumn[],
): Promise<void> {
  for (const { name, kind } of columns) {
    if (kind === 'text') continue;
    const longest = `SELECT coalesce(max(length(split_part(${quoted(name)}, '.', 2))), 0) FROM ${quoted(table)}`;
    const type = kind === 'decimal' ? `DECIMAL(38, ${await textOf(db, longest)})` : SQL_TYPES[kind];
    await db.run(`ALTER TABLE ${quoted(table)} ALTER ${quoted(name)} TYPE ${type}`);
  }
}

export async function valuesOf(db: DuckDBConnection, sql: string): Promise<unknown[][]> {
  return (await db.runAndReadAll(sql)).getRowsJS();
}

/** The one value of a query, as text. */
export const textOf = async (db: DuckDBConnection, sql: string): Promise<string> =>
  (await valuesOf(db, `SELECT (${sql})::VARCHAR`))[0]![0] as string;

/** Time between two looks whether the command is to end, in milliseconds. */
const LOOK_EVERY_MS = 200;

/**
 * Runs a statement. Yields every moment, so that the caller can end it.
 * @throws AppError `query_ended` after `limitMs`; an error of DuckDB, whose message may have values
 */
export async function* running(
  db: DuckDBConnection,
  sql: string,
  limitMs: number,
): AsyncGenerator<undefined> {
  let isRunning = true;
  const ended = db.run(sql).finally(() => (isRunning = false));
  ended.catch(() => undefined);
  try {
    for (let ms = 0; isRunning; ms += LOOK_EVERY_MS) {
      if (ms >= limitMs)
        throw new AppError('query_ended', { reason: `it had no result after ${limitMs / 1000} s` });
      const look = new AbortController();
      await Promise.race([ended, wait(LOOK_EVERY_MS, undefined, { signal: look.signal })]);
      look.abort();
      yield undefined;
    }
  } finally {
    // A query that has not begun is not interrupted.
    for (; isRunning; await wait(LOOK_EVERY_MS)) db.interrupt();
  }
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
