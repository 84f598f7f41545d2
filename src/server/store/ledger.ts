import type { Database } from 'better-sqlite3';
import type { AccountKey } from '../../core/contract/account.ts';
import { DESCRIPTORS, RESOURCES, type RecordKind, type Resource } from '../../core/contract/resources.ts';

/** A stored record with its account. */
export interface LedgerRow extends AccountKey {
  readonly seq: number;
  readonly kind: RecordKind;
  /** JSON text. */
  readonly data: string;
  /** How often the record came again with other content, and was left as it was. */
  readonly conflicting_replays: number;
}

/** Selects records; null selects all. */
export interface LedgerFilter {
  readonly kind: string | null;
  readonly import_supplier: string | null;
  readonly external_account_number: string | null;
}

export interface Ledger {
  /** Number of the newest record; 0 without records. */
  lastSeq(): number;
  /** The oldest selected record after `afterSeq`, up to and including `lastSeq`. */
  next(
    position: { readonly afterSeq: number; readonly lastSeq: number },
    filter: LedgerFilter,
  ): LedgerRow | undefined;
  /** The records of one account, in the order of storage. */
  ofAccount(accountId: number): readonly LedgerRow[];
  /** Counts of the selected records by account, kind, type and amount. Amounts are texts, digit for digit as stored. */
  amounts(filter: LedgerFilter): Iterable<AmountRow>;
  /** The selected transactions that are stored more than once, or came again with other content. */
  repeated(filter: LedgerFilter): readonly RepeatedRow[];
}

/** The number of records of one account with the same kind, type and amount. */
export interface AmountRow extends AccountKey {
  readonly kind: RecordKind;
  /** Null for records without types, and for records without an amount. */
  readonly type: string | null;
  /** Null for records without an amount. */
  readonly amount: string | null;
  readonly count: number;
}

export interface RepeatedRow extends AccountKey {
  readonly transaction_id: string;
  /** How often the transaction is stored. */
  readonly stored: number;
  /** How often it came again with other content, and was left as it was. */
  readonly conflicting_replays: number;
}

const SELECTED = `(@kind IS NULL OR kind = @kind)
      AND (@import_supplier IS NULL OR import_supplier = @import_supplier)
      AND (@external_account_number IS NULL OR external_account_number = @external_account_number)`;

/** A value of the records whose amounts are summed; null for other records. */
function ofSummed(valueOf: (descriptor: (typeof DESCRIPTORS)[Resource]) => string): string {
  const cases = RESOURCES.map((resource) => DESCRIPTORS[resource])
    .filter(({ amount }) => amount !== null)
    .map((descriptor) => `WHEN '${descriptor.kind}' THEN ${valueOf(descriptor)}`);
  return `CASE kind ${cases.join(' ')} END`;
}

// CROSS JOIN makes SQLite start at the records. Starting at the accounts would sort all records for every row.
export function ledgerIn(database: Database): Ledger {
  const lastSeq = database.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM records').pluck();
  const next = database.prepare<[LedgerFilter & { afterSeq: number; lastSeq: number }], LedgerRow>(`
    SELECT seq, kind, import_supplier, external_account_number, data, conflicting_replays
    FROM records CROSS JOIN accounts ON accounts.id = records.account_id
    WHERE seq > @afterSeq AND seq <= @lastSeq AND ${SELECTED}
    ORDER BY seq LIMIT 1`);

  const ofAccount = database.prepare<[number], LedgerRow>(`
    SELECT seq, kind, import_supplier, external_account_number, data, conflicting_replays
    FROM records JOIN accounts ON accounts.id = records.account_id WHERE account_id = ? ORDER BY seq`);
  // `->` returns the digits of a number, while `->>` would make a float. Amounts that are stored as text lose their quotes.
  const amounts = database.prepare<[LedgerFilter], AmountRow>(`
    SELECT import_supplier, external_account_number, kind,
      ${ofSummed(({ typeField }) => (typeField === null ? 'NULL' : `data ->> '$.${typeField}'`))} AS type,
      ${ofSummed(({ amount }) => `trim(data -> '$.${amount!.field}', '"')`)} AS amount,
      count(*) AS count
    FROM records JOIN accounts ON accounts.id = records.account_id
    WHERE ${SELECTED}
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4`);
  const repeated = database.prepare<[LedgerFilter], RepeatedRow>(`
    SELECT import_supplier, external_account_number, data ->> '$.transaction_id' AS transaction_id,
      count(*) AS stored, sum(conflicting_replays) AS conflicting_replays
    FROM records JOIN accounts ON accounts.id = records.account_id
    WHERE kind = '${DESCRIPTORS.transactions.kind}' AND ${SELECTED}
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
