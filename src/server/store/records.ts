import type { Database } from 'better-sqlite3';
import { DESCRIPTORS, RECORD_KINDS, type RecordKind } from '../../core/contract/resources.ts';
import type { CalendarDate } from '../../core/values/calendar-date.ts';

/** Finds a record in the store. `variant` is '' unless several records of one key may exist. */
export type RecordKey = Readonly<{ accountId: number; kind: RecordKind; key: string; variant: string }>;

export interface NewRecord extends RecordKey {
  /** JSON text of the record as it is stored, with every number digit for digit. */
  readonly data: string;
  /** JSON text of the record as it was sent, if the platform changed it. */
  readonly sent?: string;
}

export interface StoredRecord {
  readonly seq: number;
  readonly data: string;
  /** As it was sent, even if the platform changed it. */
  readonly sent: string;
}

/** The period that a line item of an account charges. */
export interface ChargedPeriod {
  readonly accountId: number;
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

/** A stored line item, and the transaction around it. Both are JSON text. */
export type ChargedItem = { readonly transaction: string; readonly item: string };

/** The records of all accounts, numbered in the order of storage. They change in a write of the store only. */
export function recordsIn(database: Database) {
  const add = database.prepare<[number, RecordKind, string, string, string, string | null]>(`
    INSERT INTO records (account_id, kind, identity_key, variant, data, sent) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (account_id, kind, identity_key, variant) DO NOTHING`);
  const STORED = 'SELECT seq, data, coalesce(sent, data) AS sent FROM records';
  const at = database.prepare<[number, RecordKind, string, string], StoredRecord>(
    `${STORED} WHERE account_id = ? AND kind = ? AND identity_key = ? AND variant = ?`,
  );
  const firstOf = database.prepare<[number, RecordKind, string], StoredRecord>(
    `${STORED} WHERE account_id = ? AND kind = ? AND identity_key = ? ORDER BY seq LIMIT 1`,
  );
  const anywhere = database.prepare<[RecordKind, string, number], StoredRecord>(
    `${STORED} WHERE kind = ? AND identity_key = ? ORDER BY account_id <> ?, seq LIMIT 1`,
  );
  const countOf = database
    .prepare<[number, RecordKind, string], number>(
      'SELECT count(*) FROM records WHERE account_id = ? AND kind = ? AND identity_key = ?',
    )
    .pluck();
  const countConflict = database.prepare<[number]>(
    'UPDATE records SET conflicting_replays = conflicting_replays + 1 WHERE seq = ?',
  );
  const chargedIn = database.prepare<[ChargedPeriod], ChargedItem>(`
    SELECT data AS "transaction", item.value AS item FROM records, json_each(data, '$.line_items') AS item
    WHERE account_id = @accountId AND kind = '${DESCRIPTORS.transactions.kind}'
      AND (item.value ->> 'start_date' < @to AND item.value ->> 'end_date' > @from
        OR item.value ->> 'start_date' = @from AND item.value ->> 'end_date' = @to)`);
  const conflicts = database
    .prepare<[], number>(
      'SELECT coalesce(sum(conflicting_replays), 0) FROM records WHERE conflicting_replays > 0',
    )
    .pluck();
  const byKind = database.prepare<[], { kind: RecordKind; records: number }>(
    'SELECT kind, count(*) AS records FROM records GROUP BY kind',
  );
  const drop = database.prepare<[]>('DELETE FROM records');
  const restartSequence = database.prepare<[]>("DELETE FROM sqlite_sequence WHERE name = 'records'");

  return {
    /** Adds a record and returns true, unless its key is taken. The UNIQUE index decides. */
    add: (record: NewRecord) => {
      const { accountId, kind, key, variant, data, sent } = record;
      return add.run(accountId, kind, key, variant, data, sent ?? null).changes === 1;
    },
    at: ({ accountId, kind, key, variant }: RecordKey) => at.get(accountId, kind, key, variant),
    /** The oldest record of a key, whatever its variant. */
    firstOf: ({ accountId, kind, key }: Omit<RecordKey, 'variant'>) => firstOf.get(accountId, kind, key),
    /** The oldest record of a key on the account, else on any other one. */
    anywhere: ({ accountId, kind, key }: Omit<RecordKey, 'variant'>) => anywhere.get(kind, key, accountId),
    countOf: ({ accountId, kind, key }: Omit<RecordKey, 'variant'>) => countOf.get(accountId, kind, key)!,
    /** Counts that a record came again with other content. */
    countConflict: (seq: number) => void countConflict.run(seq),
    /** The line items of the account whose periods overlap a period. Sharing a first or last day is no overlap. */
    chargedIn: (period: ChargedPeriod) => chargedIn.all(period),
    countsByKind: () => {
      const found = new Map(byKind.all().map(({ kind, records }) => [kind, records]));
      const counts = RECORD_KINDS.map((kind) => [kind, found.get(kind) ?? 0]);
      return Object.fromEntries(counts) as Readonly<Record<RecordKind, number>>;
    },
    /** How often records came again with other content. */
    conflicts: () => conflicts.get()!,
    /** Removes every record; the next one is number 1 again. */
    drop: () => {
      drop.run();
      restartSequence.run();
    },
  };
}
