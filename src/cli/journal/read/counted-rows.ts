import { total } from '../../../core/values/counts.ts';
import { DecimalSum } from '../../../core/values/decimal-sum.ts';
import { Decimal, withPlaces } from '../../../core/values/decimal.ts';
import type { LeftOut, RunReport } from '../../push/ports/report.ts';
import type { StagingRun } from '../../push/ports/staging.ts';

/**
 * Counts valid records and rows that are left out, in place of keeping them. A check sends nothing, so it needs their numbers and sums
 * alone.
 */
export class CountedRows {
  private readonly types = new Map<string | null, { count: number; readonly sum: DecimalSum }>();
  private readonly causes = new Map<string, LeftOut>();

  /** The operations of staging, of which these only count. */
  staging(operations: StagingRun): StagingRun {
    const { types, causes } = this;
    return {
      ...operations,
      appendRecord({ type, amount }) {
        let found = types.get(type);
        if (!found) types.set(type, (found = { count: 0, sum: new DecimalSum() }));
        found.count++;
        if (amount !== null) found.sum.add(amount);
      },
      appendFiltered(_, cause) {
        const key = `${cause.kind} ${cause.place}`;
        causes.set(key, { ...cause, count: (causes.get(key)?.count ?? 0) + 1 });
      },
    };
  }

  /** The report of the rows that the journal keeps, with the rows that were counted. */
  addedTo(report: RunReport): RunReport {
    const leftOut = [...this.causes.values()];
    // By type, those without one first.
    const controlTotals = [...this.types]
      .toSorted(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
      .map(([type, { count, sum }]) => {
        const read = sum.total;
        const accepted = read && withPlaces(Decimal.of('0'), read.places);
        return { type, currency: null, count, read: read?.text ?? null, accepted };
      });
    const valid = total(controlTotals, ({ count }) => count);
    const filtered = total(leftOut, ({ count }) => count);
    const { rows } = report;
    const counts = { ...rows, read: rows.read + valid + filtered, not_sent: valid, filtered };
    return { ...report, rows: counts, controlTotals, leftOut };
  }
}
