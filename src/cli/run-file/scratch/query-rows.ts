import Database from 'better-sqlite3';

// The process of a query loads this file, and nothing of the run file.

export type Row = readonly unknown[];

/** The functions that a query may call beside those of SQLite. The name of a scalar may have its number of arguments behind a slash. */
export interface StoreFunctions {
  readonly scalars: Readonly<Record<string, { args: number; call: (...args: never[]) => unknown }>>;
  readonly decimalSum: {
    start: () => unknown;
    step: (...args: never[]) => void;
    result: (...args: never[]) => unknown;
  };
}

/** The rows of the result, one after the other. Runs until the process is killed, however long the query takes. @throws SqliteError */
export function* queryRows(path: string, sql: string, functions: StoreFunctions): Generator<Row> {
  const db = new Database(path, { readonly: true });
  db.pragma('temp_store = FILE');
  define(db, functions);
  yield* db.prepare<[], Row>(sql).raw().safeIntegers().iterate();
}

/** Gives a database the functions of queries. */
export function define(db: Database.Database, { scalars, decimalSum }: StoreFunctions): void {
  const options = { deterministic: true, safeIntegers: true, directOnly: true };
  for (const [name, { args, call }] of Object.entries(scalars)) {
    const inner = call as (...args: unknown[]) => unknown;
    // SQLite takes the number of arguments from the parameters.
    const byCount = [
      (a: unknown, b: unknown) => inner(a, b),
      (a: unknown, b: unknown, c: unknown) => inner(a, b, c),
    ];
    db.function(name.split('/')[0]!, options, byCount[args - 2]!);
  }
  db.aggregate('dec_sum', {
    ...options,
    start: decimalSum.start,
    step: (state: unknown, value: unknown) => (decimalSum.step as (...args: unknown[]) => void)(state, value),
    result: (state: unknown) => (decimalSum.result as (...args: unknown[]) => unknown)(state),
  } as Database.AggregateOptions);
}
