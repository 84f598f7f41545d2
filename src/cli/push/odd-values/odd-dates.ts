import { warning } from '../../../core/problem.ts';
import { counted, countIn } from '../../../core/values/counts.ts';
import { daysAfter } from '../../../core/values/calendar-date.ts';
import type { SourceLine } from '../ports/staging.ts';
import { reportTally, type SeenRecord, type StagedFile } from '../staged-file.ts';
import { togetherOf, type Oddity, type Tally } from './tally.ts';

/** Days that a program writes when a date is empty: the zero of Unix, of spreadsheets, and of other programs. */
const EMPTY_DAYS = ['1970-01-01', '1899-12-30', '1900-01-01'] as const;

/** Moments of our years in seconds, read as milliseconds, lie before this day. */
const EPOCH_END = '1970-03-01';

/** Fewer dates prove nothing. */
const LEAST = 3;

/** Dates with parts of a second, and dates that cannot be. */
export class OddDates implements Oddity {
  private records = 0;
  /** By `EMPTY_DAYS`. */
  private readonly empty = new Map<string, Tally>();
  /** Those within weeks of the zero of Unix. */
  private epoch: Tally | undefined;
  /** Those with parts of a second. */
  private split: Tally | undefined;

  see(value: unknown, { line }: SeenRecord): void {
    const date = value as string;
    this.records++;
    if (date.includes('.')) this.split = counted(this.split, line);
    if (date >= EPOCH_END) return;
    const empty = EMPTY_DAYS.find((day) => date.startsWith(day));
    if (empty) countIn(this.empty, empty, line);
    if (date.startsWith('1970-')) this.epoch = counted(this.epoch, line);
  }

  report(file: StagedFile, field: string): void {
    const { records, split, epoch, empty } = this;
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

type Period = Readonly<{ from: unknown; to: unknown }>;

/** Periods that end on the day on which the next one begins. */
class TouchingPeriods {
  private apart = 0;
  private touching: Tally | undefined;

  protected compare(one: Period, next: Period, line: SourceLine): void {
    if (one.from === one.to) return;
    const [earlier, later] = String(one.from) <= String(next.from) ? [one, next] : [next, one];
    if (earlier.to === later.from) this.touching = counted(this.touching, line);
    else if (later.from === daysAfter(String(earlier.to), 1)) this.apart++;
  }

  protected reportAt(file: StagedFile, path: readonly (string | number)[]): void {
    const { touching, apart } = this;
    if (!touching || touching.count < LEAST || touching.count <= apart) return;
    const what = 'is the day on which the next period begins';
    const todo =
      'Write `day_before: true` at the field in a mapping file when the day is not a part of the period. Nothing to do when it is.';
    reportTally(file, touching, (count) =>
      warning('date_implausible', path, { what: `${what}: ${count}`, todo }),
    );
  }
}

/** The periods of the items of a record. */
export class ItemPeriods extends TouchingPeriods implements Oddity {
  see(value: unknown, { line }: SeenRecord): void {
    let before: Period | undefined;
    for (const item of value as readonly Readonly<Record<string, unknown>>[]) {
      const period = { from: item['start_date'], to: item['end_date'] };
      if (before) this.compare(before, period, line);
      before = period;
    }
  }

  report(file: StagedFile, field: string): void {
    this.reportAt(file, [field, 0, 'end_date']);
  }
}

/** Accounts whose last period is remembered, so that memory stays bounded. */
const MOST_ACCOUNTS = 10_000;

/** The periods of the bills of an account. */
export class AccountPeriods extends TouchingPeriods implements Oddity {
  private readonly last = new Map<string, Period>();

  see(from: unknown, { fields, counted: { account }, line }: SeenRecord): void {
    const number = account.external_account_number;
    const period = { from, to: fields['bill_period_to_date'] };
    const before = this.last.get(number);
    if (before) this.compare(before, period, line);
    if (before || this.last.size < MOST_ACCOUNTS) this.last.set(number, period);
  }

  report(file: StagedFile): void {
    this.reportAt(file, ['bill_period_to_date']);
  }
}
