import { failure } from '../../core/problem.ts';
import { locateOwnProblem } from '../push/own-problem.ts';
import { problemReport } from '../push/ports/listed-problems.ts';
import type { RunReport, EndReason } from '../push/ports/report.ts';
import type { DrainEnd } from '../push/send/drain.ts';

/** What ended a run early. Null where nothing did, and where the problems of the rows say it. `resume`: the command that goes on. */
export function endReasonOf({ reason }: DrainEnd, resume: string): EndReason | null {
  return reason ? { code: reason.code, facts: { resume, ...reason.facts } } : null;
}

/** The report with the reason for the early end as its first problem. `file`: the first source of the run. */
export function reportWithReason(
  report: RunReport,
  reason: EndReason | null,
  { file, resume }: { file: string; resume: string },
): RunReport {
  if (!reason) return report;
  // A report that is shown later names the resume command of the later command line.
  const problem = locateOwnProblem(failure(reason.code, [], { ...reason.facts, resume }), { file });
  const problems = [problem, ...report.problems];
  const { warningGroups } = report;
  const errorGroups = [{ count: 1, first: problem, lines: [] }, ...report.errorGroups];
  return { ...report, ...problemReport({ problems, errorGroups, warningGroups }) };
}
