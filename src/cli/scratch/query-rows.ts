import Database from 'better-sqlite3';

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

/** The rows of the result, one after the other, in a process that loads nothing of journals and is killed however long it takes. @throws SqliteError */
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
  db.aggregate('dec_sum', { ...options, ...decimalSum } as Database.AggregateOptions);
}
