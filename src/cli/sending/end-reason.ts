import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import type { Facts } from '../../core/problem.ts';
import { problemReport } from '../push/ports/listed-problems.ts';
import type { RunReport, EndReason, LocatedProblem } from '../push/ports/report.ts';
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
  const problem = problemOfRun(reason.code, { ...reason.facts, resume }, { file, line: null });
  const problems = [problem, ...report.problems];
  const { warningGroups } = report;
  const errorGroups = [{ count: 1, first: problem, lines: [] }, ...report.errorGroups];
  return { ...report, ...problemReport({ problems, errorGroups, warningGroups }) };
}

function problemOfRun(
  code: ErrorCode,
  facts: Facts,
  { file, line }: { file: string; line: number | null },
): LocatedProblem {
  const texts = { detail: sentenceOf(code, facts), next: nextStepOf(code, facts) };
  return {
    code,
    severity: 'error',
    file,
    line,
    column: null,
    header: null,
    attr: null,
    ...texts,
    http_status: null,
  };
}
