import type { Database } from 'better-sqlite3';

/** Rows of one transaction. */
const PORTION = 5_000;

/** Rows on their way into a scratch database. A transaction for each row would take most of the time. */
export interface Portions<Row> {
  add(row: Row): void;
  /** Writes the rows that are waiting. Call it before anything is read. */
  flush(): void;
}

/** Collects rows and writes each portion in one transaction. `insert` writes one row. */
export function inPortions<Row>(db: Database, insert: (row: Row) => void): Portions<Row> {
  const write = db.transaction((rows: readonly Row[]) => rows.forEach((row) => insert(row)));
  let waiting: Row[] = [];
  const flush = (): void => {
    if (waiting.length > 0) write(waiting);
    waiting = [];
  };
  return {
    add(row) {
      waiting.push(row);
      if (waiting.length >= PORTION) flush();
    },
    flush,
  };
}
