import type { Database } from 'better-sqlite3';
import type { AccountKey } from '../../core/contract/account.ts';
import type { ImportState } from '../../core/rules/import-status.ts';
import type { StatementPeriod } from '../../core/contract/period-move.ts';
import type { Instant } from '../../core/values/instant.ts';

/** An account and the state of its import. */
export interface Account extends AccountKey {
  readonly state: ImportState;
  /** Undefined when no open statement is known. */
  readonly openStatement: StatementPeriod | undefined;
}

export interface StoredAccount extends Account {
  readonly id: number;
  /** When the account was created on the platform; null until it is imported. */
  readonly createdAt: Instant | null;
}

/** Selects accounts; null selects all. */
export interface AccountFilter {
  readonly import_supplier: string | null;
  readonly state: ImportState | null;
  /** A part of the account number. The case of ASCII letters does not matter. */
  readonly search: string | null;
}

export type AccountPage = AccountFilter & { readonly afterId: number; readonly limit: number };

const SELECTED = `(@import_supplier IS NULL OR import_supplier = @import_supplier)
      AND (@state IS NULL OR state = @state)
      AND (@search IS NULL OR instr(lower(external_account_number), lower(@search)) > 0)`;

/** Most accounts of one statement. */
const AT_ONCE = 1_000;

export function accountsIn(database: Database) {
  // One statement for many accounts takes a fifth of the time of a statement for each.
  const put = database.prepare<[{ accounts: string; now: Instant }]>(`
    INSERT INTO accounts (import_supplier, external_account_number, state, created_at, open_from, open_to)
    SELECT value ->> 0, value ->> 1, value ->> 2, iif(value ->> 2 = 'imported', @now, NULL), value ->> 3, value ->> 4
    FROM json_each(@accounts) WHERE true
    ON CONFLICT (import_supplier, external_account_number) DO UPDATE SET
      state = excluded.state,
      created_at = iif(excluded.state = 'imported', coalesce(created_at, @now), NULL),
      open_from = excluded.open_from,
      open_to = excluded.open_to`);
  const setState = database.prepare<[{ id: number; state: ImportState; at: Instant }]>(`
    UPDATE accounts SET state = @state, created_at = iif(@state = 'imported', coalesce(created_at, @at), NULL)
    WHERE id = @id`);
  const find = database.prepare<[string, string], StoredRow>(
    'SELECT * FROM accounts WHERE import_supplier = ? AND external_account_number = ?',
  );
  const ofSupplier = database.prepare<[string], StoredRow>(
    'SELECT * FROM accounts WHERE import_supplier = ? ORDER BY id',
  );
  const page = database.prepare<[AccountPage], StoredRow>(`
    SELECT * FROM accounts
    WHERE id > @afterId AND ${SELECTED} ORDER BY id LIMIT @limit`);
  const countOf = database
    .prepare<[AccountFilter], number>(`SELECT count(*) FROM accounts WHERE ${SELECTED}`)
    .pluck();
  const count = database.prepare<[], number>('SELECT count(*) FROM accounts').pluck();

  return {
    /** Adds or changes accounts. An imported account keeps its creation time, or gets `now` when it has none. */
    put: (accounts: readonly Account[], now: Instant) => {
      for (let first = 0; first < accounts.length; first += AT_ONCE) {
        const rows = accounts
          .slice(first, first + AT_ONCE)
          .map(({ import_supplier, external_account_number, state, openStatement }) => [
            import_supplier,
            external_account_number,
            state,
            openStatement?.from ?? null,
            openStatement?.to ?? null,
          ]);
        put.run({ accounts: JSON.stringify(rows), now });
      }
    },
    find: (key: AccountKey) => {
      const row = find.get(key.import_supplier, key.external_account_number);
      return row && stored(row);
    },
    /** Sets the state of an import. An imported account keeps its creation time, or gets `at` when it has none. */
    setState: (id: number, state: ImportState, at: Instant) => void setState.run({ id, state, at }),
    /** In the order in which they were added. */
    ofSupplier: (code: string) => ofSupplier.all(code).map(stored),
    /** The next accounts after an id that match. */
    page: (filter: AccountPage) => page.all(filter).map(stored),
    countOf: (filter: AccountFilter) => countOf.get(filter)!,
    count: () => count.get()!,
  };
}

interface StoredRow extends AccountKey {
  readonly id: number;
  readonly state: ImportState;
  readonly created_at: Instant | null;
  readonly open_from: string | null;
  readonly open_to: string | null;
}

function stored({ created_at, open_from, open_to, ...account }: StoredRow): StoredAccount {
  const openStatement = open_from === null || open_to === null ? undefined : { from: open_from, to: open_to };
  return { ...account, createdAt: created_at, openStatement };
}
