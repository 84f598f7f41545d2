import type { DatedField } from '../../../core/contract/descriptor.ts';
import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { warning } from '../../../core/problem.ts';
import { reportTally, type Oddity, type SeenRecord, type StagedFile } from '../staged-file.ts';
import { counted, countIn, togetherOf, type Tally } from './tally.ts';

/** Days that a program writes when a date is empty: the zero of Unix, of spreadsheets, and of other programs. */
const EMPTY_DAYS = ['1970-01-01', '1899-12-30', '1900-01-01'] as const;

/** Fewer records than this have no usual years. */
const LEAST_DATED = 50;

/** Years without a date between two groups of dates, and the share of records that the smaller one may have at most. */
const YEARS_APART = 5;
const LONE_SHARE = 0.01;

const YEAR = 'yyyy'.length;

/** The years of `EMPTY_DAYS`, so that no day is cut out of most dates. */
const EMPTY_YEARS: ReadonlySet<string> = new Set(EMPTY_DAYS.map((day) => day.slice(0, YEAR)));

/** The dates of one field. */
interface SeenDates extends DatedField {
  /** By `EMPTY_DAYS`. */
  readonly empty: Map<string, Tally>;
  readonly years: Map<string, Tally>;
  /** Those with parts of a second. */
  split: Tally | undefined;
}

/** Parts of a second, dates that stand for none, and few dates many years away from all others, as after two digits were swapped. */
export class OddDates implements Oddity {
  private readonly fields: readonly SeenDates[];

  constructor(resource: Resource) {
    this.fields = DESCRIPTORS[resource].dates.map((dated) => ({
      ...dated,
      empty: new Map(),
      years: new Map(),
      split: undefined,
    }));
  }

  see({ fields, line }: SeenRecord): void {
    for (const dates of this.fields) {
      const value = fields[dates.field];
      if (typeof value !== 'string') continue;
      if (value.includes('.')) dates.split = counted(dates.split, line);
      const year = value.slice(0, YEAR);
      const empty = EMPTY_YEARS.has(year) && EMPTY_DAYS.find((day) => value.startsWith(day));
      if (empty) countIn(dates.empty, empty, line);
      else countIn(dates.years, year, line);
    }
  }

  report(file: StagedFile): void {
    for (const { field, upTo, split, empty, years } of this.fields) {
      reportTally(file, split, (count) => warning('split_seconds', [field], { count }));
      const days = [...empty.keys()].toSorted().join(', ');
      if (empty.size > 0)
        reportTally(file, togetherOf([...empty.values()]), (count) =>
          warning('dates_stand_for_none', [field], { count, days }),
        );
      const records = [...years.values()].reduce((sum, { count }) => sum + count, 0);
      const lone = loneYears([...years], upTo);
      if (records < LEAST_DATED || lone.length === 0) continue;
      const tally = togetherOf(lone);
      if (tally.count > Math.max(1, Math.floor(records * LONE_SHARE))) continue;
      reportTally(file, tally, (count) =>
        warning('dates_far_from_others', [field], { count, records, years: YEARS_APART }),
      );
    }
  }
}

/** The years that are far from those of most dates. */
function loneYears(years: readonly (readonly [string, Tally])[], upTo: DatedField['upTo']): readonly Tally[] {
  const clusters: { first: number; last: number; readonly tallies: Tally[] }[] = [];
  const inOrder = years
    .map(([year, tally]) => [Number.parseInt(year, 10), tally] as const)
    .toSorted(([a], [b]) => a - b);
  for (const [year, tally] of inOrder) {
    let cluster = clusters.at(-1);
    if (!cluster || year - cluster.last >= YEARS_APART)
      clusters.push((cluster = { first: year, last: year, tallies: [] }));
    cluster.last = year;
    cluster.tallies.push(tally);
  }
  const [usual] = clusters.toSorted((a, b) => togetherOf(b.tallies).count - togetherOf(a.tallies).count);
  // A note may be pinned until any year.
  return clusters
    .filter((each) => each !== usual && (upTo === 'a_year' || each.first < usual!.first))
    .flatMap(({ tallies }) => tallies);
}
