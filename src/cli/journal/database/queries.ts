import type { Database, Statement } from 'better-sqlite3';

/** Statements that were prepared, by their text: that takes longer than most of them run. */
const PREPARED = new WeakMap<Database, Map<string, Statement<unknown[]>>>();

/** Texts that are kept of a database. Some have numbers in them, so there is no end of them. */
const MOST_KEPT = 200;

/** `isPlucked`: the query has one column, whose values are wanted. */
function prepared<Row>(db: Database, sql: string, isPlucked: boolean): Statement<unknown[], Row> {
  let kept = PREPARED.get(db);
  if (!kept) PREPARED.set(db, (kept = new Map()));
  let statement = kept.get(sql);
  if (!statement) {
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(sql, (statement = db.prepare<unknown[]>(sql)));
  }
  return statement.pluck(isPlucked) as Statement<unknown[], Row>;
}

/** The rows of a query. */
export const allRows = <Row>(db: Database, sql: string, ...values: unknown[]): readonly Row[] =>
  prepared<Row>(db, sql, false).all(...values);

/** The rows of a query, one after the other. */
export const eachRow = <Row>(db: Database, sql: string, ...values: unknown[]): IterableIterator<Row> =>
  db.prepare<unknown[], Row>(sql).iterate(...values);

/** The first row of a query; undefined without one. */
export const firstRow = <Row>(db: Database, sql: string, ...values: unknown[]): Row | undefined =>
  prepared<Row>(db, sql, false).get(...values);

/** The value of the first row; undefined without one. */
export const valueOf = <Value>(db: Database, sql: string, ...values: unknown[]): Value | undefined =>
  prepared<Value>(db, sql, true).get(...values);

/** The values of all rows. */
export const valuesOf = <Value>(db: Database, sql: string, ...values: unknown[]): readonly Value[] =>
  prepared<Value>(db, sql, true).all(...values);

/** Whether a query finds a row. */
export const isAny = (db: Database, sql: string, ...values: unknown[]): boolean =>
  valueOf(db, `SELECT EXISTS (${sql})`, ...values) === 1;

/** A column as hexadecimal digits, so that it can contain any character; `-` for NULL. */
export const hexColumn = (column: string): string => `iif(${column} IS NULL, '-', lower(hex(${column})))`;
