import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { warning } from '../../../core/problem.ts';
import type { RowTally, SourceLine } from '../ports/staging.ts';
import { reportTally, type StagedFile } from '../staged-file.ts';

/** Transactions with a date before the end of one of their line items, as when another date was mapped. */
export class LateItems {
  private records = 0;
  private late: { -readonly [Key in keyof RowTally]: RowTally[Key] } | undefined;
  private readonly list: string | undefined;

  constructor(resource: Resource) {
    this.list = DESCRIPTORS[resource].items?.list;
  }

  see(record: object, first: SourceLine): void {
    if (this.list === undefined) return;
    const { transaction_date: date, [this.list]: items } = record as Readonly<Record<string, unknown>>;
    if (typeof date !== 'string' || !Array.isArray(items)) return;
    this.records++;
    const isLate = (items as readonly { end_date?: unknown }[]).some(
      ({ end_date: end }) => typeof end === 'string' && date < end,
    );
    if (!isLate) return;
    this.late ??= { count: 0, first };
    this.late.count++;
  }

  report(file: StagedFile): void {
    reportTally(file, this.late, (count) =>
      warning('dated_before_items_end', ['transaction_date'], { count, records: this.records }),
    );
  }
}
