import type { Database } from 'better-sqlite3';
import type { RecordKind } from '../../core/contract/resources.ts';
import { Decimal, sum } from '../../core/values/decimal.ts';

export interface CountedRecord {
  readonly accountId: number;
  readonly kind: RecordKind;
  /** Of a kind with types. */
  readonly type?: string | undefined;
  /** The amount of a kind with amounts, if the record has one. */
  readonly amount?: Decimal | null | undefined;
}

/**
 * Counts and exact sums of all records, kept in step with the records, because to count a million records takes seconds. A
 * write counts in memory, and what it counted is stored once, in the same transaction.
 */
export type RecordTotals = ReturnType<typeof recordTotalsIn>;

export type KindTotal = Readonly<{ kind: RecordKind; records: number; conflicting_replays: number }>;

type Counted = CountedRecord & { records: number; readonly amounts: Decimal[] };

export function recordTotalsIn(database: Database) {
  const addTotal = database.prepare<[number, RecordKind, string, number, string | null]>(`
    INSERT INTO record_totals (account_id, kind, type, records, amount) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (account_id, kind, type) DO UPDATE SET
      records = records + excluded.records,
      amount = exact_plus(amount, excluded.amount)`);
  const addCount = database.prepare<[KindTotal]>(`
    INSERT INTO record_counts (kind, records, conflicting_replays) VALUES (@kind, @records, @conflicting_replays)
    ON CONFLICT (kind) DO UPDATE SET
      records = records + excluded.records,
      conflicting_replays = conflicting_replays + excluded.conflicting_replays`);
  const all = database.prepare<[], KindTotal>('SELECT kind, records, conflicting_replays FROM record_counts');
  const drop = ['record_totals', 'record_counts'].map((table) => database.prepare(`DELETE FROM ${table}`));

  let totals = new Map<string, Counted>();
  let counts = new Map<RecordKind, { records: number; conflicting_replays: number }>();
  const countOf = (kind: RecordKind) => {
    const count = counts.get(kind) ?? { records: 0, conflicting_replays: 0 };
    counts.set(kind, count);
    return count;
  };
  let created = 0;
  const forget = () => {
    if (counts.size === 0) return;
    totals = new Map();
    counts = new Map();
  };
  const store = () => {
    for (const { accountId, kind, type = '', records, amounts } of totals.values()) {
      addTotal.run(accountId, kind, type, records, amounts.length === 0 ? null : sum(amounts).text);
    }
    for (const [kind, count] of counts) {
      addCount.run({ kind, ...count });
      created += count.records;
    }
    forget();
  };

  return {
    countRecord: (record: CountedRecord) => {
      const { accountId, kind, type = '', amount } = record;
      const key = `${accountId} ${kind} ${type}`;
      const total = totals.get(key) ?? { ...record, records: 0, amounts: [] };
      totals.set(key, total);
      total.records += 1;
      if (amount) total.amounts.push(amount);
      countOf(kind).records += 1;
    },
    /** Counts that a record came again with other content. */
    countConflict: (kind: RecordKind) => {
      countOf(kind).conflicting_replays += 1;
    },
    /** Stores what was counted, before another write begins. The returned function forgets everything since, because it is undone. */
    begin: () => {
      store();
      const before = created;
      return () => {
        forget();
        created = before;
      };
    },
    /** Stores what was counted. Has to run before a write ends. */
    store,
    /** The records that were added since the start, also those that were dropped later. */
    created: () => created,
    all: () => all.all(),
    /** Every record is dropped. */
    drop: () => {
      forget();
      for (const statement of drop) statement.run();
    },
  };
}

/** Adds exact sums to SQL, whose own numbers are floats. */
export function addExactSums(database: Database): void {
  const plus = (total: string | null, next: string | null): string | null =>
    total === null || next === null ? (total ?? next) : sum([Decimal.of(total), Decimal.of(next)]).text;
  database.function('exact_plus', { deterministic: true }, plus);
}
