import { RESOURCE_WIRE, type RecordKind } from '../../core/contract/resources.ts';
import { compareDecimals, Decimal, sum } from '../../core/values/decimal.ts';
import type { LedgerRecord } from './ports/platform.ts';
import type { RunReport } from './ports/report.ts';

/** Count and exact sum of the records of one kind and type. */
export interface LedgerTotal {
  readonly count: number;
  readonly amount: Decimal;
}

/** Totals of a ledger by kind and type; the type is `''` for a kind without types. */
export type LedgerTotals = ReadonlyMap<string, LedgerTotal>;

/** The field with the amount of a kind, and the field that its totals are split by. */
const TOTALLED: Readonly<Record<RecordKind, { readonly amount?: string; readonly type?: string }>> = {
  note: {},
  transaction: { amount: 'amount', type: 'type' },
  statement: { amount: 'gross_amount' },
  payment_instruction: { type: 'type' },
};

const NONE: LedgerTotal = { count: 0, amount: Decimal.of('0') };

/** Adds up a ledger. Memory grows only with the number of types. */
export async function totalsOfLedger(records: AsyncIterable<LedgerRecord>): Promise<LedgerTotals> {
  const totals = new Map<string, LedgerTotal>();
  for await (const { kind, data } of records) {
    const { amount, type } = TOTALLED[kind];
    const key = keyOf(kind, type === undefined ? null : String(data[type]));
    const before = totals.get(key) ?? NONE;
    const given = amount === undefined ? undefined : data[amount];
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
  const { kind } = RESOURCE_WIRE[report.resource];
  return report.controlTotals.flatMap(({ type, count, read }) => {
    const stored = ledger.get(keyOf(kind, type)) ?? NONE;
    const what = type === null ? report.resource : `${report.resource} ${type}`;
    const counts = stored.count === count ? [] : [`${what}: ${count} read, ${stored.count} stored`];
    const isEqual = read === null || compareDecimals(Decimal.of(read), stored.amount) === 0;
    return isEqual ? counts : [...counts, `${what}: ${read} read, ${stored.amount.text} stored`];
  });
}

function keyOf(kind: RecordKind, type: string | null): string {
  return `${kind} ${type ?? ''}`;
}
