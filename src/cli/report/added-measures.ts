import { total } from '../../core/values/counts.ts';
import { Decimal, sum } from '../../core/values/decimal.ts';
import { LISTED_UNFINISHED, type RunMeasures, type UnsentGroup } from '../push/ports/measures.ts';
import { LINES_OF_GROUP, type ControlTotal, type ProblemGroup } from '../push/ports/report.ts';

/** The sums of each type, exact. */
export function addedTotals(totals: readonly ControlTotal[]): readonly ControlTotal[] {
  const byType = Map.groupBy(totals, ({ type }) => type);
  const sumOfAll = (texts: readonly (string | null)[]): string | null =>
    texts.includes(null) ? null : sum(texts.map((text) => Decimal.of(text!))).text;
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

/**
 * Problems of all runs by cause, errors and the most frequent first. Every shard reads every row, so a group that all `shards`
 * have alike was found while reading and is counted once.
 */
export function addedProblems(
  runs: readonly (readonly ProblemGroup[])[],
  shards: number,
): readonly ProblemGroup[] {
  const byCause = Map.groupBy(runs.flat(), ({ first: { severity, code, file, header } }) =>
    JSON.stringify([severity, code, file, header]),
  );
  return [...byCause.values()]
    .map((parts) => {
      const [part] = parts as [ProblemGroup];
      const isAlike = parts.every(
        ({ count, lines }) => count === part.count && String(lines) === String(part.lines),
      );
      if (shards > 1 && parts.length === shards && isAlike) return part;
      const lines = [...new Set(parts.flatMap((each) => each.lines))].toSorted((a, b) => a - b);
      const firstOfAll = parts.find((each) => each.lines[0] === lines[0]) ?? part;
      return {
        ...firstOfAll,
        count: total(parts, ({ count }) => count),
        lines: lines.slice(0, LINES_OF_GROUP),
      };
    })
    .toSorted(({ first: a, count }, { first: b, count: other }) =>
      a.severity === b.severity ? other - count : a.severity === 'error' ? -1 : 1,
    );
}
