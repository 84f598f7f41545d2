import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../core/app-error.ts';

/**
 * Nothing of a query reaches a file, the network or the disk, and its result is the same each time. The macros raise an error while the
 * query runs: `single` for a group with several values, `not_empty` for an empty cell, `unlike` for a group that has a row twice,
 * `untied` and `settled` for rows that are equal where the query takes one of them. The error is that of a CAST, because DuckDB lets no alias stand
 * for an expression with `error()`, such as that of a sum in HAVING.
 */
const SET_UP = `
  CREATE MACRO unless(wrong, reason, x) AS CASE WHEN (CASE WHEN wrong THEN ('query: ' || reason)::BOOLEAN END) THEN NULL ELSE x END;
  CREATE MACRO single(x, one, other) AS
    unless(one IS DISTINCT FROM other, 'a group has several values where the query takes any of them', x);
  CREATE MACRO not_empty(x) AS
    unless(x::VARCHAR = '', 'it asks whether an empty cell is NULL, and that is an empty text; write nullif(…, '''')', x);
  CREATE MACRO row_with(x, whole) AS CASE WHEN x IS NOT NULL THEN whole END;
  CREATE MACRO repeats(x) AS count(x) - count(DISTINCT x);
  CREATE MACRO unlike(x, repeated) AS
    unless(repeated > 0, 'a sum or a list has a row more than once; correct the JOIN, add up before it, or write rows: many', x);
  CREATE MACRO untied(x, peers) AS
    unless(peers > 1, 'it takes any of rows that are equal in its ORDER BY; correct the JOIN, or order by _row, too: arg_max(a, (b, _row))', x);
  CREATE MACRO cut(peers, rows, most) AS CASE WHEN rows > most AND rows - peers < most THEN peers END;
  CREATE MACRO matched(x, peers) AS
    unless(peers > 1, 'its ASOF JOIN takes any of rows that are equal in its conditions; choose one in a subquery, by QUALIFY row_number() OVER (…) = 1', x);
  CREATE MACRO settled(x, one, other) AS untied(x, CASE WHEN one IS DISTINCT FROM other THEN 2 END);
  CREATE SCHEMA own;
  CREATE TABLE own.line (line UBIGINT, position VARCHAR, part VARCHAR);
  SET temp_directory = ''; SET threads = 1; SET enable_external_access = false;
  SET autoinstall_known_extensions = false; SET autoload_known_extensions = false; SET lock_configuration = true;`;

/** Opens a database in memory that belongs to the command. Moments have their day and hour in the time zone of the mapping. */
export async function openQueryDatabase(timeZone = 'UTC'): Promise<DuckDBConnection> {
  const db = await (await DuckDBInstance.create(':memory:')).connect();
  await db.run(`SET TimeZone = ${literal(timeZone)}; ${SET_UP}`);
  return db;
}

export const textOf = async (db: DuckDBConnection, sql: string): Promise<string> =>
  (await db.runAndReadAll(`SELECT (${sql})::VARCHAR`)).getRowsJS()[0]![0] as string;

/** Refuses a query. Who calls it knows where the query is. */
export function refuse(reason: string): never {
  throw new AppError('query_invalid', { reason });
}

/** Time between two looks whether the command is to end, in milliseconds. */
const LOOK_EVERY_MS = 200;

/** Runs a query, so that every error comes before the first row. Yields every moment, so that the caller can end it. */
export async function* running(db: DuckDBConnection, sql: string) {
  const ended = db.run(sql).catch(refuseFailed);
  const isOver = () => Promise.race([ended.then(() => true), wait(LOOK_EVERY_MS, false, { ref: false })]);
  try {
    while (!(await isOver())) yield [];
  } finally {
    // A query that has not begun is not interrupted.
    while (!(await isOver().catch(() => true))) db.interrupt();
  }
}

/** A message of DuckDB may have values of cells, between quotes or as numbers; a reason of a macro has none. */
function refuseFailed({ message }: Error): never {
  const [first = ''] = message.split('\n');
  const own = /'query: (.*)' to BOOL/.exec(first)?.[1];
  if (own && SET_UP.includes(literal(own))) return refuse(own);
  const kind = first.replace(/^(Invalid Input Error): (?!More than one row|Could not parse).*/, '$1');
  return refuse(kind.replaceAll(/'.*'|".*"|\d+(?:\.\d+)?/g, '…'));
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
