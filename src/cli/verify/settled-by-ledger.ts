import type { SentRecord } from '../comparison/ports.ts';
import type { FoundReading, OpenJournals } from '../journal/found-readings.ts';

/**
 * Settles the rows that no answer has proven, and that a ledger has with equal content, so that reports count them as arrived, too. A
 * journal that differs from its chain is left as it is. `proven`: records of the readings, which `origin` numbers.
 */
export function settleByLedger(
  proven: readonly SentRecord[],
  {
    readings,
    journals,
    ledger,
    now,
  }: { readings: readonly FoundReading[]; journals: OpenJournals; ledger: string; now: string },
): void {
  for (const [origin, records] of Map.groupBy(proven, (record) => record.origin)) {
    const place = readings[origin]!;
    const { confirming, proving } = journals.reading(place);
    if (proving.chain().broken !== null) continue;
    const confirmation = { verdict: 'arrived', by: 'dataimport verify', ledger, now } as const;
    confirming.confirm([...new Set(records.map(({ seq }) => seq))], confirmation);
    const journal = journals.at(place.file);
    journal.see(journal.head());
  }
}
