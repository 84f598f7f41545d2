import type { CommandPorts } from '../command/command-ports.ts';
import type { Cohort } from './read-cohort.ts';
import type { CrossCheckReport } from '../output/run/cohort-result.ts';
import { listedProblems } from '../push/ports/listed-problems.ts';
import { LINES_OF_GROUP, LISTED_PROBLEMS, type LocatedProblem } from '../push/ports/report.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { besideCohort } from './cohort-files.ts';
import { crossChecks, type ExpectedTotals } from './cross-checks.ts';
import { expectedTotals } from './expected-totals.ts';

/** Without `checks`, and for a cohort that was checked before its first request. */
export const UNCHECKED: CrossCheckReport = {
  problems: [],
  problemsTotal: 0,
  errorsTotal: 0,
  errorGroups: [],
  warningGroups: [],
};

/** Runs the checks between the files of a cohort. @throws AppError `expected_total_unreadable`, `file_not_readable` */
export async function checkedCohort(
  cohort: Cohort,
  runs: readonly RunFile[],
  { io, onClose }: Pick<CommandPorts, 'io' | 'onClose'>,
  showValues: boolean,
): Promise<CrossCheckReport> {
  const { checks } = cohort.document;
  if (!checks) return UNCHECKED;
  const expected = new Map<number, ExpectedTotals>();
  const shard = runs[0]?.header.options.selection?.shard;
  for (const [index, { equal }] of (checks.totals ?? []).entries()) {
    if (typeof equal === 'string') continue;
    const file = besideCohort(cohort, equal.file);
    expected.set(index, await expectedTotals({ ...equal, file }, { cwd: io.cwd, onClose, shard }));
  }
  const resources = new Map(
    runs.map(({ header, cohort: operations }) => [
      header.resource,
      { operations, fileOf: (source: number) => header.sources[source - 1]!.name },
    ]),
  );
  return collected(crossChecks({ checks, resources, expected, showValues }));
}

type Group = { count: number; readonly first: LocatedProblem; readonly lines: number[] };

/** The first problems, and the number of all. */
function collected(found: Iterable<LocatedProblem>): CrossCheckReport {
  const listed = { error: [] as LocatedProblem[], warning: [] as LocatedProblem[] };
  const groups = { error: new Map<string, Group>(), warning: new Map<string, Group>() };
  let [problemsTotal, errorsTotal] = [0, 0];
  for (const problem of found) {
    const { code, file, line, severity } = problem;
    problemsTotal++;
    if (severity === 'error') errorsTotal++;
    listed[severity].push(...(listed[severity].length < LISTED_PROBLEMS ? [problem] : []));
    const key = JSON.stringify([code, file]);
    const group = groups[severity].get(key) ?? { count: 0, first: problem, lines: [] };
    groups[severity].set(key, group);
    group.count++;
    if (group.lines.length < LINES_OF_GROUP && line !== null) group.lines.push(line);
  }
  const errorGroups = [...groups.error.values()];
  const warningGroups = [...groups.warning.values()];
  const problems = [...listed.error, ...listed.warning];
  return {
    problems: listedProblems({ problems, errorGroups, warningGroups }),
    problemsTotal,
    errorsTotal,
    errorGroups,
    warningGroups,
  };
}
