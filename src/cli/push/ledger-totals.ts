import type { RecordKind } from '../../core/contract/resources.ts';
import { RESOURCE_WIRE } from '../../core/contract/resources.ts';
import { compareDecimals, Decimal, sum } from '../../core/values/decimal.ts';
import type { LedgerRecord } from './ports/ledger.ts';
import type { RunReport } from './ports/report.ts';

/** Count and exact sum of the records of one kind and type. */
export interface LedgerTotal {
  readonly count: number;
  readonly amount: Decimal;
}

/** Totals of a ledger, by kind and, inside it, by type (`''` where a kind has no types). */
export type LedgerTotals = ReadonlyMap<string, LedgerTotal>;

/** Where the amount of a kind stands, and what its totals are split by. */
const TOTALLED: Readonly<Record<RecordKind, { readonly amount?: string; readonly type?: string }>> = {
  note: {},
  transaction: { amount: 'amount', type: 'type' },
  statement: { amount: 'gross_amount' },
  payment_instruction: { type: 'type' },
};

/** Adds up a ledger; memory grows with the number of types only. */
export async function totalsOfLedger(records: AsyncIterable<LedgerRecord>): Promise<LedgerTotals> {
  const totals = new Map<string, LedgerTotal>();
  for await (const { kind, data } of records) {
    const { amount, type } = TOTALLED[kind];
    const key = keyOf(kind, type === undefined ? null : String(data[type]));
    const before = totals.get(key) ?? { count: 0, amount: Decimal.of('0') };
    const given = amount === undefined ? undefined : data[amount];
    const added = typeof given === 'string' ? sum([before.amount, Decimal.of(given)]) : before.amount;
    totals.set(key, { count: before.count + 1, amount: added });
  }
  return totals;
}

/** What differs between the control totals of a run and a ledger that was empty before it, in words; empty when equal. */
export function differences(
  report: Pick<RunReport, 'resource' | 'controlTotals'>,
  ledger: LedgerTotals,
): readonly string[] {
  const { kind } = RESOURCE_WIRE[report.resource];
  return report.controlTotals.flatMap(({ type, count, read }) => {
    const stored = ledger.get(keyOf(kind, type)) ?? { count: 0, amount: Decimal.of('0') };
    const what = type === null ? report.resource : `${report.resource} ${type}`;
    const counts = stored.count === count ? [] : [`${what}: ${count} read, ${stored.count} stored`];
    const isEqual = read === null || compareDecimals(Decimal.of(read), stored.amount) === 0;
    return isEqual ? counts : [...counts, `${what}: ${read} read, ${stored.amount.text} stored`];
  });
}

function keyOf(kind: RecordKind, type: string | null): string {
  return `${kind} ${type ?? ''}`;
}
