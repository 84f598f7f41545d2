import type { Database } from 'better-sqlite3';

// Queries that are run once, so that nothing is gained by keeping them prepared.

/** The rows of a query. */
export const allRows = <Row>(db: Database, sql: string, ...values: unknown[]): readonly Row[] =>
  db.prepare<unknown[], Row>(sql).all(...values);

/** The rows of a query, one after the other. */
export const eachRow = <Row>(db: Database, sql: string, ...values: unknown[]): IterableIterator<Row> =>
  db.prepare<unknown[], Row>(sql).iterate(...values);

/** The first row of a query; undefined without one. */
export const firstRow = <Row>(db: Database, sql: string, ...values: unknown[]): Row | undefined =>
  db.prepare<unknown[], Row>(sql).get(...values);

/** The value of the first row; undefined without one. */
export const valueOf = <Value>(db: Database, sql: string, ...values: unknown[]): Value | undefined =>
  db
    .prepare<unknown[], Value>(sql)
    .pluck()
    .get(...values);

/** The values of all rows. */
export const valuesOf = <Value>(db: Database, sql: string, ...values: unknown[]): readonly Value[] =>
  db
    .prepare<unknown[], Value>(sql)
    .pluck()
    .all(...values);

/** Whether a query finds a row. */
export const isAny = (db: Database, sql: string, ...values: unknown[]): boolean =>
  valueOf(db, `SELECT EXISTS (${sql})`, ...values) === 1;

/** A column as hexadecimal digits, so that it can contain any character; `-` for NULL. */
export const hexColumn = (column: string): string => `iif(${column} IS NULL, '-', lower(hex(${column})))`;
