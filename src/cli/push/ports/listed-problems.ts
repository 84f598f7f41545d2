import { total } from '../../../core/values/counts.ts';
import type { LocatedProblem, ProblemGroup, RunReport } from './report.ts';

/** Problems that a report lists at most; it also says how many there are. */
export const LISTED_PROBLEMS = 1_000;

/** Problems, and all of them in groups. The groups know codes that the problems leave out. */
type Problems = Pick<RunReport, 'problems' | 'errorGroups' | 'warningGroups'>;

/** The problems of a run, as a report has them. */
export type ProblemReport = Problems & Pick<RunReport, 'problemsTotal' | 'errorsTotal'>;

/** No problem. */
export const NO_PROBLEMS = problemReport({ problems: [], errorGroups: [], warningGroups: [] });

/** The problems that are listed, and the number of all. */
export function problemReport(found: Problems): ProblemReport {
  const { errorGroups, warningGroups } = found;
  const sizeOf = (groups: readonly ProblemGroup[]): number => total(groups, ({ count }) => count);
  const errorsTotal = sizeOf(errorGroups);
  const problemsTotal = errorsTotal + sizeOf(warningGroups);
  return { problems: listedProblems(found), errorGroups, warningGroups, problemsTotal, errorsTotal };
}

/**
 * The problems that are listed where only `limit` are: errors before warnings, and at least one of each code. The first of each code
 * in each file come before further ones, so that a rare code is not hidden by a frequent one. Otherwise the order stays.
 */
export function listedProblems(
  { problems, errorGroups, warningGroups }: Problems,
  limit = LISTED_PROBLEMS,
): readonly LocatedProblem[] {
  const known = new Set(problems.map(({ severity, code }) => `${severity} ${code}`));
  const firsts = [...errorGroups, ...warningGroups].map(({ first }) => first);
  const all = [...problems, ...firsts.filter(({ severity, code }) => isNew(known, `${severity} ${code}`))];
  const { error = [], warning = [] } = Object.groupBy(all, ({ severity }) => severity);
  const ordered = [...error, ...warning];
  if (ordered.length <= limit) return ordered;
  const seen = new Set<string>();
  const {
    code = [],
    file = [],
    none = [],
  } = Object.groupBy(ordered, (problem) => {
    const isFirstOfFile = isNew(seen, `${problem.severity} ${problem.code} ${problem.file}`);
    if (isNew(seen, `${problem.severity} ${problem.code}`)) return 'code';
    return isFirstOfFile ? 'file' : 'none';
  });
  const rest = Math.max(0, limit - code.length);
  const listed = new Set([...code, ...[...file, ...none].slice(0, rest)]);
  return ordered.filter((problem) => listed.has(problem));
}

/** Adds a member. Returns whether it was not there. */
function isNew(members: Set<string>, member: string): boolean {
  if (members.has(member)) return false;
  members.add(member);
  return true;
}
