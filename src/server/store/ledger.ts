import type { Database } from 'better-sqlite3';
import type { AccountKey } from '../../core/contract/account.ts';
import { DESCRIPTORS, RECORD_KINDS, RESOURCES, type RecordKind } from '../../core/contract/resources.ts';

/** A stored record with its account. */
export interface LedgerRow extends AccountKey {
  readonly seq: number;
  readonly kind: RecordKind;
  /** JSON text. */
  readonly data: string;
  /** How often the record came again with other content, and was left as it was. */
  readonly conflicting_replays: number;
}

/** A record with what the customer owes after it; null for other kinds than transactions. */
export type AccountRow = LedgerRow & { readonly balance: string | null };

/** Selects records; null selects all. */
export interface LedgerFilter {
  readonly kind: string | null;
  readonly import_supplier: string | null;
  readonly external_account_number: string | null;
}

/** Some records of one kind on one account. `limit`: -1 for all. */
export interface RecordsOfAccount {
  readonly accountId: number;
  readonly kind: RecordKind;
  readonly offset: number;
  readonly limit: number;
}

export interface AccountTotal {
  readonly accountId: number;
  readonly kind: RecordKind;
  readonly type: string | null;
  readonly count: number;
  readonly amount: string | null;
  /** What the customer owes by these transactions; null for other kinds. */
  readonly owed: string | null;
}

export interface TotalRow extends AccountKey {
  readonly kind: RecordKind;
  /** Null for records without types. */
  readonly type: string | null;
  readonly count: number;
  /** The exact sum; null when no record has an amount. */
  readonly amount: string | null;
}

export interface RepeatedRow extends AccountKey {
  readonly transaction_id: string;
  readonly stored: number;
  /** How often it came again with other content, and was left as it was. */
  readonly conflicting_replays: number;
}

const SELECTED = `(@kind IS NULL OR kind = @kind)
      AND (@import_supplier IS NULL OR import_supplier = @import_supplier)
      AND (@external_account_number IS NULL OR external_account_number = @external_account_number)`;

const AMOUNTS = RESOURCES.flatMap((resource) => {
  const { kind, amount } = DESCRIPTORS[resource];
  return amount ? [`WHEN '${kind}' THEN data -> '$.${amount.field}'`] : [];
});

const PAGE = 100;

const IS_TRANSACTION = `kind = '${DESCRIPTORS.transactions.kind}'`;

const AMOUNT = "(data ->> '$.amount')";
/**
 * What the customer owes by a transaction. CHARGE, SUPPLY_CHARGE and REPAYMENT raise it, CREDIT and PAYMENT lower it. The interface does
 * not say it (docs/operating.md).
 */
const OWED = `CASE WHEN NOT ${IS_TRANSACTION} THEN NULL WHEN data ->> '$.type' NOT IN ('CREDIT', 'PAYMENT') THEN ${AMOUNT}
      ELSE iif(${AMOUNT} LIKE '-%', substr(${AMOUNT}, 2), '-' || ${AMOUNT}) END`;

const TOTALLED = `iif(${IS_TRANSACTION}, data ->> '$.type', NULL) AS type, count(*) AS count,
      exact_sum(CASE kind ${AMOUNTS.join(' ')} END) AS amount`;

/** The order in which the records of a kind are shown on their account; the others are shown in the order of storage. */
const SHOWN_BY: Readonly<Partial<Record<RecordKind, string>>> = {
  [DESCRIPTORS.notes.kind]: `coalesce(data ->> '$.is_pinned', 0) = 1 DESC, data ->> '$.created_at', seq`,
  [DESCRIPTORS.transactions.kind]: `data ->> '$.transaction_date', seq`,
};

// CROSS JOIN makes SQLite start at the records. Starting at the accounts would sort all records for every row.
export function ledgerIn(database: Database) {
  const lastSeq = database.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM records').pluck();
  const page = database.prepare<[LedgerFilter & { afterSeq: number; lastSeq: number }], LedgerRow>(`
    SELECT seq, kind, import_supplier, external_account_number, data, conflicting_replays
    FROM records CROSS JOIN accounts ON accounts.id = records.account_id
    WHERE seq > @afterSeq AND seq <= @lastSeq AND ${SELECTED}
    ORDER BY seq LIMIT ${PAGE}`);

  const shown = new Map(
    RECORD_KINDS.map((kind) => {
      const order = SHOWN_BY[kind] ?? 'seq';
      const select = `
        SELECT seq, kind, import_supplier, external_account_number, data, conflicting_replays,
          exact_sum(${OWED}) OVER (ORDER BY ${order}) AS balance
        FROM records CROSS JOIN accounts ON accounts.id = records.account_id
        WHERE account_id = @accountId AND kind = @kind
        ORDER BY ${order} LIMIT @limit OFFSET @offset`;
      return [kind, database.prepare<[RecordsOfAccount], AccountRow>(select)];
    }),
  );
  const totals = database.prepare<[LedgerFilter], TotalRow>(`
    SELECT import_supplier, external_account_number, kind, ${TOTALLED}
    FROM records CROSS JOIN accounts ON accounts.id = account_id
    WHERE ${SELECTED} GROUP BY account_id, kind, type ORDER BY 1, 2, 3, 4`);
  const repeated = database.prepare<[LedgerFilter], RepeatedRow>(`
    SELECT import_supplier, external_account_number, data ->> '$.transaction_id' AS transaction_id,
      count(*) AS stored, sum(conflicting_replays) AS conflicting_replays
    FROM (SELECT DISTINCT account_id AS found_account, identity_key AS found_key FROM records
          WHERE ${IS_TRANSACTION} AND (variant <> '' OR conflicting_replays > 0)) AS found
      CROSS JOIN records ON ${IS_TRANSACTION} AND account_id = found_account AND identity_key = found_key
      CROSS JOIN accounts ON accounts.id = account_id
    WHERE ${SELECTED}
    GROUP BY account_id, identity_key ORDER BY 1, 2, 3`);
  const totalsOfAccounts = database.prepare<[string], AccountTotal>(`
    SELECT account_id AS accountId, kind, ${TOTALLED}, exact_sum(${OWED}) AS owed
    FROM (SELECT value AS wanted FROM json_each(?)) CROSS JOIN records ON account_id = wanted
    GROUP BY account_id, kind, type ORDER BY 1, 2, 3`);

  return {
    /** Number of the newest record; 0 without records. */
    lastSeq: () => lastSeq.get()!,
    /** The next selected records after `afterSeq`, oldest first, up to and including `lastSeq`. Empty when there are no more. */
    page: (position: Readonly<{ afterSeq: number; lastSeq: number }>, filter: LedgerFilter) =>
      page.all({ ...filter, ...position }),
    /** In the order in which they are shown. */
    ofAccount: (records: RecordsOfAccount) => shown.get(records.kind)!.all(records),
    /** Counts and exact sums of the selected records by account, kind and type. */
    totals: (filter: LedgerFilter) => totals.all(filter),
    /** The selected transactions that are stored more than once, or came again with other content. */
    repeated: (filter: LedgerFilter) => repeated.all(filter),
    /** Counts and exact sums of some accounts by kind and type. */
    totalsOfAccounts: (accountIds: readonly number[]) => totalsOfAccounts.all(JSON.stringify(accountIds)),
  };
}
