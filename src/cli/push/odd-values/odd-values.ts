import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { warning } from '../../../core/problem.ts';
import { EMPTY_DAYS, type DateGroup } from '../stage/record-tallies.ts';
import { togetherOf } from './lost-zeros.ts';
import { reportTally, type StagedFile } from '../staged-file.ts';

/** Fewer records than this have no usual years. */
const LEAST_DATED = 50;

/** Years without a date between two groups of dates, and the share of records that the smaller one may have at most. */
const YEARS_APART = 5;
const LONE_SHARE = 0.01;

/** Dates that stand for none, and a few dates many years away from all others, as after two digits were swapped. */
export function reportOddDates(file: StagedFile): void {
  for (const { field, upTo } of DESCRIPTORS[file.job.resource].dates) {
    const groups = file.tallies.dateGroups(field);
    const isEmpty = ({ period }: DateGroup): boolean => (EMPTY_DAYS as readonly string[]).includes(period);
    const empty = groups.filter(isEmpty);
    if (empty.length > 0)
      reportTally(file, togetherOf(empty), (count) =>
        warning('dates_stand_for_none', [field], {
          count,
          days: empty.map(({ period }) => period).join(', '),
        }),
      );
    const dated = groups.filter((group) => !isEmpty(group));
    const records = dated.reduce((sum, { count }) => sum + count, 0);
    const clusters = clustersOf(dated);
    const usual = clusters.toSorted((a, b) => togetherOf(b).count - togetherOf(a).count)[0];
    // A note may be pinned until any year.
    const lone = clusters
      .filter((each) => each !== usual && (upTo === 'a_year' || isBefore(each, usual!)))
      .flat();
    if (records < LEAST_DATED || lone.length === 0) continue;
    const tally = togetherOf(lone);
    if (tally.count > Math.max(1, Math.floor(records * LONE_SHARE))) continue;
    reportTally(file, tally, (count) =>
      warning('dates_far_from_others', [field], { count, records, years: YEARS_APART }),
    );
  }
}

/** Groups of years with fewer than `YEARS_APART` years between one and the next. */
function clustersOf(groups: readonly DateGroup[]): readonly (readonly DateGroup[])[] {
  const clusters: DateGroup[][] = [];
  for (const group of groups) {
    const last = clusters.at(-1);
    if (last && yearOf(group) - yearOf(last.at(-1)!) < YEARS_APART) last.push(group);
    else clusters.push([group]);
  }
  return clusters;
}

function isBefore([one]: readonly DateGroup[], [other]: readonly DateGroup[]): boolean {
  return yearOf(one!) < yearOf(other!);
}

const yearOf = ({ period }: DateGroup): number => Number.parseInt(period, 10);
