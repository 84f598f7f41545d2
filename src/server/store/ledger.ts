import type { Database } from 'better-sqlite3';
import type { AccountKey } from '../../core/contract/account.ts';
import type { RecordKind } from '../../core/contract/resources.ts';

/** One stored record with the account that it belongs to. */
export interface LedgerRow extends AccountKey {
  readonly seq: number;
  readonly kind: RecordKind;
  /** JSON text. */
  readonly data: string;
  /** How often the record came again with other content and was left as it is. */
  readonly conflicting_replays: number;
}

/** Which records are wanted; null means all. */
export interface LedgerFilter {
  readonly kind: string | null;
  readonly import_supplier: string | null;
  readonly external_account_number: string | null;
}

export interface Ledger {
  /** Number of the newest record; 0 when there is none. */
  lastSeq(): number;
  /** The oldest wanted record after `afterSeq`, up to and with `lastSeq`. */
  next(
    position: { readonly afterSeq: number; readonly lastSeq: number },
    filter: LedgerFilter,
  ): LedgerRow | undefined;
  /** Everything on one account, in the order of storage. */
  ofAccount(accountId: number): readonly LedgerRow[];
  /** The wanted records of each account by kind, type and amount. Amounts are texts, digit for digit as stored. */
  amounts(filter: LedgerFilter): Iterable<AmountRow>;
  /** The wanted transactions that stand on their account several times, or came again with other content. */
  repeated(filter: LedgerFilter): readonly RepeatedRow[];
}

/** How many records of one account have one kind, type and amount. */
export interface AmountRow extends AccountKey {
  readonly kind: RecordKind;
  /** Of a transaction. */
  readonly type: string | null;
  /** Null for what has none. */
  readonly amount: string | null;
  readonly count: number;
}

export interface RepeatedRow extends AccountKey {
  readonly transaction_id: string;
  /** How often it is stored. */
  readonly stored: number;
  /** How often it came again with other content and was left as it is. */
  readonly conflicting_replays: number;
}

const WANTED = `(@kind IS NULL OR kind = @kind)
      AND (@import_supplier IS NULL OR import_supplier = @import_supplier)
      AND (@external_account_number IS NULL OR external_account_number = @external_account_number)`;

// CROSS JOIN keeps SQLite from starting at the accounts, which would sort all records for every row.
export function ledgerIn(database: Database): Ledger {
  const lastSeq = database.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM records').pluck();
  const next = database.prepare<[LedgerFilter & { afterSeq: number; lastSeq: number }], LedgerRow>(`
    SELECT seq, kind, import_supplier, external_account_number, data, conflicting_replays
    FROM records CROSS JOIN accounts ON accounts.id = records.account_id
    WHERE seq > @afterSeq AND seq <= @lastSeq AND ${WANTED}
    ORDER BY seq LIMIT 1`);

  const ofAccount = database.prepare<[number], LedgerRow>(`
    SELECT seq, kind, import_supplier, external_account_number, data, conflicting_replays
    FROM records JOIN accounts ON accounts.id = records.account_id WHERE account_id = ? ORDER BY seq`);
  // The amount of a transaction is stored as text. Of a number `->` gives what is written, `->>` would make a float.
  const amounts = database.prepare<[LedgerFilter], AmountRow>(`
    SELECT import_supplier, external_account_number, kind,
      iif(kind = 'transaction', data ->> '$.type', NULL) AS type,
      CASE kind WHEN 'transaction' THEN data ->> '$.amount' WHEN 'statement' THEN data -> '$.gross_amount' END AS amount,
      count(*) AS count
    FROM records JOIN accounts ON accounts.id = records.account_id
    WHERE ${WANTED}
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4`);
  const repeated = database.prepare<[LedgerFilter], RepeatedRow>(`
    SELECT import_supplier, external_account_number, data ->> '$.transaction_id' AS transaction_id,
      count(*) AS stored, sum(conflicting_replays) AS conflicting_replays
    FROM records JOIN accounts ON accounts.id = records.account_id
    WHERE kind = 'transaction' AND ${WANTED}
    GROUP BY account_id, identity_key HAVING count(*) > 1 OR sum(conflicting_replays) > 0
    ORDER BY 1, 2, 3`);

  return {
    lastSeq: () => lastSeq.get()!,
    next: (position, filter) => next.get({ ...filter, ...position }),
    ofAccount: (accountId) => ofAccount.all(accountId),
    amounts: (filter) => amounts.iterate(filter),
    repeated: (filter) => repeated.all(filter),
  };
}
