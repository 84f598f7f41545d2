import { warning, type Path } from '../../../core/problem.ts';
import { counted, countIn } from '../../../core/values/counts.ts';
import { daysAfter } from '../../../core/values/calendar-date.ts';
import type { SeenRecord } from '../staged-file.ts';
import { togetherOf, type Oddity, type Suspicion, type Tally } from './tally.ts';

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

  *found(field: string): Generator<Suspicion> {
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
    if (odd) yield [warning('date_implausible', [field], facts), odd.first];
    if (split && !isEpoch) yield [warning('split_seconds', [field], { count: split.count }), split.first];
  }
}

type Period = Readonly<{ from: unknown; to: unknown }>;

/** Finds periods that end on the day on which the next one begins. `pairsOf`: periods that may follow each other. */
function touchingPeriods(
  path: Path,
  pairsOf: (value: unknown, record: SeenRecord) => readonly (readonly [Period, Period])[],
): Oddity {
  let apart = 0;
  let touching: Tally | undefined;
  return {
    see(value, record) {
      for (const [one, next] of pairsOf(value, record)) {
        if (one.from === one.to) continue;
        const [earlier, later] = String(one.from) <= String(next.from) ? [one, next] : [next, one];
        if (earlier.to === later.from) touching = counted(touching, record.line);
        else if (later.from === daysAfter(String(earlier.to), 1)) apart++;
      }
    },
    *found() {
      if (!touching || touching.count < LEAST || touching.count <= apart) return;
      const what = `is the day on which the next period begins: ${touching.count}`;
      const todo =
        'Write `day_before: true` at the field in a mapping file when the day is not a part of the period. Nothing to do when it is.';
      yield [warning('date_implausible', path, { what, todo }), touching.first];
    },
  };
}

/** The periods of the items of a record. */
export const itemPeriods = (): Oddity =>
  touchingPeriods(['line_items', 0, 'end_date'], (items) => {
    const periods = (items as readonly Readonly<Record<string, unknown>>[]).map(
      ({ start_date: from, end_date: to }) => ({ from, to }),
    );
    return periods.slice(1).map((next, at) => [periods[at]!, next]);
  });

/** Accounts whose last period is remembered, so that memory stays bounded. */
const MOST_ACCOUNTS = 10_000;

/** The periods of the bills of an account. */
export function accountPeriods(): Oddity {
  const last = new Map<string, Period>();
  return touchingPeriods(['bill_period_to_date'], (from, { fields, counted: { account } }) => {
    const number = account.external_account_number;
    const period = { from, to: fields['bill_period_to_date'] };
    const before = last.get(number);
    if (before || last.size < MOST_ACCOUNTS) last.set(number, period);
    return before ? [[before, period]] : [];
  });
}
