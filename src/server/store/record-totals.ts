import type { Database } from 'better-sqlite3';
import { RECORD_KINDS, type RecordKind } from '../../core/contract/resources.ts';
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

type Counted = CountedRecord & { records: number; readonly amounts: Decimal[] };

export function recordTotalsIn(database: Database) {
  const addTotal = database.prepare<[number, RecordKind, string, number, string | null]>(`
    INSERT INTO record_totals (account_id, kind, type, records, amount) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (account_id, kind, type) DO UPDATE SET
      records = records + excluded.records,
      amount = exact_plus(amount, excluded.amount)`);
  const byKind = database.prepare<[], { kind: RecordKind; records: number }>(
    'SELECT kind, sum(records) AS records FROM record_totals GROUP BY kind',
  );
  const drop = database.prepare<[]>('DELETE FROM record_totals');

  let totals = new Map<string, Counted>();
  const forget = () => {
    if (totals.size > 0) totals = new Map();
  };
  const store = () => {
    for (const { accountId, kind, type = '', records, amounts } of totals.values()) {
      addTotal.run(accountId, kind, type, records, amounts.length === 0 ? null : sum(amounts).text);
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
    },
    /** Stores what was counted. Has to run before a write ends, and before another write begins inside it. */
    store,
    /** Forgets what was counted and not stored, because it is undone. */
    forget,
    byKind: () => {
      const records = new Map(byKind.all().map((row) => [row.kind, row.records]));
      const counts = RECORD_KINDS.map((kind) => [kind, records.get(kind) ?? 0]);
      return Object.fromEntries(counts) as Readonly<Record<RecordKind, number>>;
    },
    /** Every record is dropped. */
    drop: () => {
      forget();
      drop.run();
    },
  };
}

/** Adds exact sums to SQL, whose own numbers are floats. */
export function addExactSums(database: Database): void {
  const plus = (total: string | null, next: string | null): string | null =>
    total === null || next === null ? (total ?? next) : sum([Decimal.of(total), Decimal.of(next)]).text;
  database.function('exact_plus', { deterministic: true }, plus);
}
