import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { warning } from '../../../core/problem.ts';
import { counted, countIn } from '../../../core/values/counts.ts';
import { daysAfter } from '../../../core/values/calendar-date.ts';
import type { SourceLine } from '../ports/staging.ts';
import { reportTally, type Oddity, type SeenRecord, type StagedFile } from '../staged-file.ts';
import { togetherOf, type Tally } from './tally.ts';

/** Days that a program writes when a date is empty: the zero of Unix, of spreadsheets, and of other programs. */
const EMPTY_DAYS = ['1970-01-01', '1899-12-30', '1900-01-01'] as const;

/** Moments of our years in seconds, read as milliseconds, lie before this day. */
const EPOCH_END = '1970-03-01';

/** Fewer dates prove nothing. */
const LEAST = 3;

/** The dates of one field. */
class SeenDates {
  readonly field: string;
  records = 0;
  /** By `EMPTY_DAYS`. */
  readonly empty = new Map<string, Tally>();
  /** Those within weeks of the zero of Unix. */
  epoch: Tally | undefined;
  /** Those with parts of a second. */
  split: Tally | undefined;

  constructor(field: string) {
    this.field = field;
  }
}

/** Dates with parts of a second, and dates that cannot be. */
export class OddDates implements Oddity {
  private readonly fields: readonly SeenDates[];

  constructor(resource: Resource) {
    this.fields = DESCRIPTORS[resource].dates.map(({ field }) => new SeenDates(field));
  }

  see({ fields, line }: SeenRecord): void {
    for (const dates of this.fields) {
      const value = fields[dates.field];
      if (typeof value !== 'string') continue;
      dates.records++;
      if (value.includes('.')) dates.split = counted(dates.split, line);
      if (value >= EPOCH_END) continue;
      const empty = EMPTY_DAYS.find((day) => value.startsWith(day));
      if (empty) countIn(dates.empty, empty, line);
      if (value.startsWith('1970-')) dates.epoch = counted(dates.epoch, line);
    }
  }

  report(file: StagedFile): void {
    for (const { field, records, split, epoch, empty } of this.fields) {
      const none = [...empty.values()];
      const isEpoch = epoch && epoch.count >= LEAST && epoch.count === records && none[0]?.count !== records;
      const odd = isEpoch ? epoch : none.length > 0 ? togetherOf(none) : undefined;
      const facts = isEpoch
        ? {
            what: `lies within weeks of 1970 in all ${records} records`,
            todo: 'Write `format: epoch_seconds` in place of `epoch_milliseconds`: the numbers count seconds.',
          }
        : {
            what: `is a day that programs write when they have none (${[...empty.keys()].toSorted().join(', ')}): ${odd?.count}`,
            todo: 'Leave the cell empty, or name the text under `null_tokens` in a mapping file; nothing to do when the day is right.',
          };
      reportTally(file, odd, () => warning('date_implausible', [field], facts));
      if (!isEpoch) reportTally(file, split, (count) => warning('split_seconds', [field], { count }));
    }
  }
}

type Period = Readonly<{ from: unknown; to: unknown }>;

/** Accounts whose last period is remembered, so that memory stays bounded. */
const MOST_ACCOUNTS = 10_000;

/** Periods that end on the day on which the next one of the account, or of the record, begins. */
export class TouchingPeriods implements Oddity {
  private readonly last = new Map<string, Period>();
  private apart = 0;
  private touching: Tally | undefined;
  private field = '';

  see({ fields, counted: { account }, line }: SeenRecord): void {
    const { line_items: items, bill_period_from_date: from, bill_period_to_date: to } = fields;
    const periods = ((items ?? []) as readonly Readonly<Record<string, unknown>>[]).map((item): Period => {
      return { from: item['start_date'], to: item['end_date'] };
    });
    for (const [at, period] of periods.entries())
      this.compare(periods[at - 1], period, { line, field: 'end_date' });
    if (from === undefined) return;
    const number = account.external_account_number;
    const before = this.last.get(number);
    this.compare(before, { from, to }, { line, field: 'bill_period_to_date' });
    if (before || this.last.size < MOST_ACCOUNTS) this.last.set(number, { from, to });
  }

  private compare(
    before: Period | undefined,
    next: Period,
    { line, field }: { line: SourceLine; field: string },
  ): void {
    if (!before || before.from === before.to) return;
    const [earlier, later] = String(before.from) <= String(next.from) ? [before, next] : [next, before];
    if (earlier.to === later.from) {
      this.touching = counted(this.touching, line);
      this.field = field;
    } else if (later.from === daysAfter(String(earlier.to), 1)) this.apart++;
  }

  report(file: StagedFile): void {
    const { touching, apart, field } = this;
    if (!touching || touching.count < LEAST || touching.count <= apart) return;
    const path = field === 'end_date' ? ['line_items', 0, field] : [field];
    const what = 'is the day on which the next period begins';
    const todo =
      'Write `day_before: true` at the field in a mapping file when the day is not a part of the period. Nothing to do when it is.';
    reportTally(file, touching, (count) =>
      warning('date_implausible', path, { what: `${what}: ${count}`, todo }),
    );
  }
}
