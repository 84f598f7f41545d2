import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import type { Facts } from '../../core/problem.ts';
import { listedProblems } from '../push/ports/listed-problems.ts';
import { LINES_OF_GROUP, type RunReport, type EndReason, type LocatedProblem } from '../push/ports/report.ts';
import type { UnknownRow } from '../journal/read/reporting.ts';
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
  return {
    ...report,
    problems: listedProblems({ problems, errorGroups, warningGroups }),
    errorGroups,
    problemsTotal: report.problemsTotal + 1,
    errorsTotal: report.errorsTotal + 1,
  };
}

const LEFT_OPEN = 'outcome_left_open';

/**
 * The report of a run whose process died, with the rows that it left unknown. A process that ends by itself records these problems itself.
 */
export function reportWithUnknownRows(report: RunReport, rows: readonly UnknownRow[]): RunReport {
  const isRecorded = report.problems.some(({ code }) => code === LEFT_OPEN);
  if (rows.length === 0 || isRecorded) return report;
  const problems = rows.map((row) => problemOfRun(LEFT_OPEN, {}, row));
  const groups = [...Map.groupBy(problems, ({ file }) => file).values()].map((ofFile) => ({
    count: ofFile.length,
    first: ofFile[0]!,
    lines: ofFile.slice(0, LINES_OF_GROUP).map(({ line }) => line!),
  }));
  const { warningGroups } = report;
  const errorGroups = [...groups, ...report.errorGroups];
  return {
    ...report,
    problems: listedProblems({ problems: [...problems, ...report.problems], errorGroups, warningGroups }),
    problemsTotal: report.problemsTotal + rows.length,
    errorsTotal: report.errorsTotal + rows.length,
    errorGroups,
  };
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
