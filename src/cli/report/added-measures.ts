import { total } from '../../core/values/counts.ts';
import { Decimal, sum } from '../../core/values/decimal.ts';
import {
  ACCOUNT_ENDS,
  bucketFor,
  LISTED_UNFINISHED,
  type AccountGroup,
  type AttemptGroup,
  type MeasuredProblem,
  type RunMeasures,
  type Timeline,
  type TimelineBucket,
  type UnsentGroup,
} from '../push/ports/measures.ts';
import { LINES_OF_GROUP, type ControlTotal } from '../push/ports/report.ts';

/** Exact sum of decimal texts; null when none is given. */
function exactSum(texts: readonly (string | null)[]): string | null {
  const given = texts.filter((text) => text !== null);
  return given.length === 0 ? null : sum(given.map((text) => Decimal.of(text))).text;
}

/** The sums of each type, exact. */
export function addedTotals(totals: readonly ControlTotal[]): readonly ControlTotal[] {
  const byType = Map.groupBy(totals, ({ type }) => type);
  const sumOfAll = (texts: readonly (string | null)[]): string | null =>
    texts.includes(null) ? null : exactSum(texts);
  return [...byType]
    .toSorted(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
    .map(([type, parts]) => ({
      type,
      currency: null,
      count: total(parts, ({ count }) => count),
      read: sumOfAll(parts.map(({ read }) => read)),
      accepted: sumOfAll(parts.map(({ accepted }) => accepted)),
    }));
}

/** The account groups of runs whose accounts are disjoint. */
export function addedAccountGroups(groups: readonly AccountGroup[]): readonly AccountGroup[] {
  return ACCOUNT_ENDS.flatMap((end) => {
    const parts = groups.filter((group) => group.end === end);
    if (parts.length === 0) return [];
    return [
      {
        end,
        accounts: total(parts, ({ accounts }) => accounts),
        records: total(parts, ({ records }) => records),
        arrived: total(parts, ({ arrived }) => arrived),
        read: exactSum(parts.map(({ read }) => read)),
        accepted: exactSum(parts.map(({ accepted }) => accepted)),
      },
    ];
  });
}

/** The first accounts of all runs that did not finish. */
export function addedUnfinished(
  measures: readonly Pick<RunMeasures, 'unfinished'>[],
): RunMeasures['unfinished'] {
  return measures
    .flatMap(({ unfinished }) => unfinished)
    .toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
    .slice(0, LISTED_UNFINISHED);
}

/** The accounts of all runs that were not sent, by the reason. A run has its own accounts, or those of its shard. */
export function addedUnsent(groups: readonly UnsentGroup[]): readonly UnsentGroup[] {
  return [...Map.groupBy(groups, ({ reason }) => reason)].map(([reason, parts]) => ({
    reason,
    accounts: total(parts, ({ accounts }) => accounts),
    rows: total(parts, ({ rows }) => rows),
  }));
}

/** Attempts of all runs by status and result, the most frequent first. */
export function addedAttempts(groups: readonly AttemptGroup[]): readonly AttemptGroup[] {
  const byKind = Map.groupBy(groups, ({ status, result }) => `${status} ${result}`);
  return [...byKind.values()]
    .map((parts) => ({ ...parts[0]!, count: total(parts, ({ count }) => count) }))
    .toSorted((a, b) => b.count - a.count);
}

/** Counts of equal numbers added up, the smallest number first. */
export function addedCounts(
  lists: readonly (readonly (readonly [number, number])[])[],
): readonly (readonly [number, number])[] {
  const counts = new Map<number, number>();
  for (const [value, count] of lists.flat()) counts.set(value, (counts.get(value) ?? 0) + count);
  return [...counts].toSorted(([a], [b]) => a - b);
}

/** The timelines of all runs on one scale; null when nothing was sent. */
export function addedTimelines(timelines: readonly Timeline[]): Timeline | null {
  if (timelines.length === 0) return null;
  const firstMs = Math.min(...timelines.map((each) => each.firstMs));
  const endMs = Math.max(...timelines.map((each) => each.endMs));
  const bucketMs = Math.max(bucketFor(endMs - firstMs), ...timelines.map((each) => each.bucketMs));
  // Spans divide each other and begin at whole multiples, so a span of one run lies in one span of all.
  const startMs = Math.floor(firstMs / bucketMs) * bucketMs;
  const buckets = new Map<number, TimelineBucket>();
  for (const timeline of timelines)
    for (const { at: number, outcomes, failed } of timeline.buckets) {
      const at = Math.floor((timeline.startMs + number * timeline.bucketMs - startMs) / bucketMs);
      const before = buckets.get(at);
      buckets.set(at, {
        at,
        outcomes: {
          created: (before?.outcomes.created ?? 0) + outcomes.created,
          existing: (before?.outcomes.existing ?? 0) + outcomes.existing,
          uncompared: (before?.outcomes.uncompared ?? 0) + outcomes.uncompared,
          verify: (before?.outcomes.verify ?? 0) + outcomes.verify,
          rejected: (before?.outcomes.rejected ?? 0) + outcomes.rejected,
        },
        failed: (before?.failed ?? 0) + failed,
      });
    }
  return {
    startMs,
    firstMs,
    endMs,
    bucketMs,
    buckets: [...buckets.values()].toSorted((a, b) => a.at - b.at),
  };
}

/**
 * Problems of all runs by cause, errors and the most frequent first. Every shard reads every row, so a group that all `shards`
 * have alike was found while reading and is counted once.
 */
export function addedProblems(
  runs: readonly (readonly MeasuredProblem[])[],
  shards: number,
): readonly MeasuredProblem[] {
  const byCause = Map.groupBy(runs.flat(), ({ severity, first }) =>
    JSON.stringify([severity, first.code, first.file, first.header]),
  );
  return [...byCause.values()]
    .map((parts) => {
      const [part] = parts as [MeasuredProblem];
      const isAlike = parts.every(
        ({ count, lines }) => count === part.count && String(lines) === String(part.lines),
      );
      if (shards > 1 && parts.length === shards && isAlike) return part;
      const lines = [...new Set(parts.flatMap((each) => each.lines))].toSorted((a, b) => a - b);
      const firstOfAll = parts.find((each) => each.lines[0] === lines[0]) ?? part;
      return {
        ...firstOfAll,
        count: total(parts, ({ count }) => count),
        records: total(parts, ({ records }) => records),
        lines: lines.slice(0, LINES_OF_GROUP),
      };
    })
    .toSorted((a, b) => (a.severity === b.severity ? b.count - a.count : a.severity === 'error' ? -1 : 1));
}
