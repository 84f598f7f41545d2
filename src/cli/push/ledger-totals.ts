import { DESCRIPTORS } from '../../core/contract/resources.ts';
import { Decimal, isSameMoney, sum } from '../../core/values/decimal.ts';
import type { LedgerRecord } from './ports/platform.ts';
import type { RunReport } from './ports/report.ts';

/** How the control totals of a run differ from a ledger that was empty before it, in words; empty when equal. */
export function differences(
  { resource, controlTotals }: Pick<RunReport, 'resource' | 'controlTotals'>,
  ledger: readonly LedgerRecord[],
): readonly string[] {
  const { kind, amount, typeField } = DESCRIPTORS[resource];
  return controlTotals.flatMap(({ type, count, read }) => {
    const stored = ledger.filter(
      (record) => record.kind === kind && (type === null || record.data[typeField!] === type),
    );
    const amounts = stored.map(({ data }) => amount && data[amount.field]);
    const total = sum(amounts.flatMap((each) => (typeof each === 'string' ? Decimal.of(each) : [])));
    const what = type === null ? resource : `${resource} ${type}`;
    const counts = stored.length === count ? [] : [`${what}: ${count} read, ${stored.length} stored`];
    return read === null || isSameMoney(read, total.text)
      ? counts
      : [...counts, `${what}: ${read} read, ${total.text} stored`];
  });
}
