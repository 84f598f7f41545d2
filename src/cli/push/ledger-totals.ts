import { descriptorOfKind, DESCRIPTORS, type RecordKind } from '../../core/contract/resources.ts';
import { compareDecimals, Decimal, sum } from '../../core/values/decimal.ts';
import type { LedgerRecord } from './ports/platform.ts';
import type { RunReport } from './ports/report.ts';

/** Count and exact sum of the records of one kind and type. */
export type LedgerTotal = { readonly count: number; readonly amount: Decimal };

/** Totals of a ledger by kind and type; the type is `''` for a kind without types. */
export type LedgerTotals = ReadonlyMap<string, LedgerTotal>;

const NONE: LedgerTotal = { count: 0, amount: Decimal.of('0') };

/** Adds up a ledger. */
export function totalsOfLedger(records: readonly LedgerRecord[]): LedgerTotals {
  const totals = new Map<string, LedgerTotal>();
  for (const { kind, data } of records) {
    const { amount, typeField } = descriptorOfKind(kind);
    const key = keyOf(kind, typeField && String(data[typeField]));
    const before = totals.get(key) ?? NONE;
    const given = amount && data[amount.field];
    const total = typeof given === 'string' ? sum([before.amount, Decimal.of(given)]) : before.amount;
    totals.set(key, { count: before.count + 1, amount: total });
  }
  return totals;
}

/** How the control totals of a run differ from a ledger that was empty before it, in words; empty when equal. */
export function differences(
  report: Pick<RunReport, 'resource' | 'controlTotals'>,
  ledger: LedgerTotals,
): readonly string[] {
  const { kind } = DESCRIPTORS[report.resource];
  return report.controlTotals.flatMap(({ type, count, read }) => {
    const stored = ledger.get(keyOf(kind, type)) ?? NONE;
    const what = type === null ? report.resource : `${report.resource} ${type}`;
    const counts = stored.count === count ? [] : [`${what}: ${count} read, ${stored.count} stored`];
    const isEqual = read === null || compareDecimals(Decimal.of(read), stored.amount) === 0;
    return isEqual ? counts : [...counts, `${what}: ${read} read, ${stored.amount.text} stored`];
  });
}

const keyOf = (kind: RecordKind, type: string | null): string => `${kind} ${type ?? ''}`;
