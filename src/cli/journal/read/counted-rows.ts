import { DecimalSum } from '../../../core/values/decimal-sum.ts';
import { Decimal, withPlaces } from '../../../core/values/decimal.ts';
import type { ControlTotal, LeftOut, RunReport } from '../../push/ports/report.ts';
import type { CountedRecord, LeftOutCause, StagingRun } from '../../push/ports/staging.ts';

/**
 * The rows of a run that keeps neither valid records nor the rows that are left out: a check sends nothing, so their numbers
 * and sums are enough.
 */
export class CountedRows {
  private valid = 0;
  private leftOut = 0;
  private readonly types = new Map<string | null, { count: number; sum: DecimalSum }>();
  private readonly causes = new Map<string, { cause: LeftOutCause; count: number }>();

  /** The operations of staging, of which these only count. */
  staging(operations: StagingRun): StagingRun {
    return {
      ...operations,
      countRecord: (record) => this.add(record),
      appendFiltered: (_, cause) => this.leaveOut(cause),
    };
  }

  /** The report of the rows that the journal keeps, with the rows that were counted. */
  addedTo(report: RunReport): RunReport {
    const { rows } = report;
    return {
      ...report,
      rows: {
        ...rows,
        read: rows.read + this.valid + this.leftOut,
        not_sent: this.valid,
        filtered: this.leftOut,
      },
      controlTotals: this.controlTotals(),
      leftOut: [...this.causes.values()].map(({ cause, count }): LeftOut => ({ ...cause, count })),
    };
  }

  private add({ type, amount }: CountedRecord): void {
    this.valid++;
    let found = this.types.get(type);
    if (!found) this.types.set(type, (found = { count: 0, sum: new DecimalSum() }));
    found.count++;
    if (amount !== null) found.sum.add(amount);
  }

  private leaveOut(cause: LeftOutCause): void {
    this.leftOut++;
    const key = `${cause.kind} ${cause.place}`;
    const known = this.causes.get(key);
    if (known) known.count++;
    else this.causes.set(key, { cause, count: 1 });
  }

  /** By type, those without one first. */
  private controlTotals(): readonly ControlTotal[] {
    return [...this.types]
      .toSorted(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
      .map(([type, { count, sum }]) => {
        const { total } = sum;
        const accepted = total && withPlaces(Decimal.of('0'), total.places);
        return { type, currency: null, count, read: total?.text ?? null, accepted };
      });
  }
}
