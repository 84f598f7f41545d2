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
}

// CROSS JOIN keeps SQLite from starting at the accounts, which would sort all records for every row.
export function ledgerIn(database: Database): Ledger {
  const lastSeq = database.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM records').pluck();
  const next = database.prepare<[LedgerFilter & { afterSeq: number; lastSeq: number }], LedgerRow>(`
    SELECT seq, kind, import_supplier, external_account_number, data, conflicting_replays
    FROM records CROSS JOIN accounts ON accounts.id = records.account_id
    WHERE seq > @afterSeq AND seq <= @lastSeq
      AND (@kind IS NULL OR kind = @kind)
      AND (@import_supplier IS NULL OR import_supplier = @import_supplier)
      AND (@external_account_number IS NULL OR external_account_number = @external_account_number)
    ORDER BY seq LIMIT 1`);

  return {
    lastSeq: () => lastSeq.get()!,
    next: (position, filter) => next.get({ ...filter, ...position }),
  };
}
