import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import {
  LINES_OF_GROUP,
  LISTED_PROBLEMS,
  type LocatedProblem,
  type ProblemGroup,
  type RunReport,
} from '../push/ports/report.ts';
import type { UnknownRow } from '../run-file/reporting.ts';

const CODE = 'outcome_left_open';

/**
 * The report of a run whose process died, with the rows that it left in doubt; a process that ends by itself has told what
 * there is to tell.
 */
export function reportWithUnknown(report: RunReport, rows: readonly UnknownRow[]): RunReport {
  const isTold = report.problems.some(({ code }) => code === CODE);
  if (rows.length === 0 || isTold) return report;
  const problems = rows.map(problemOf);
  const files = [...new Set(rows.map(({ file }) => file))];
  const groups = files.map((file) => groupOf(problems.filter((problem) => problem.file === file)));
  const errors = report.problems.filter(({ severity }) => severity === 'error');
  const warnings = report.problems.filter(({ severity }) => severity !== 'error');
  return {
    ...report,
    problems: [...problems, ...errors, ...warnings].slice(0, LISTED_PROBLEMS),
    problemsTotal: report.problemsTotal + rows.length,
    errorsTotal: report.errorsTotal + rows.length,
    errorGroups: [...groups, ...report.errorGroups],
  };
}

function problemOf({ file, line }: UnknownRow): LocatedProblem {
  return {
    code: CODE,
    severity: 'error',
    file,
    line,
    column: null,
    header: null,
    attr: null,
    detail: sentenceOf(CODE, {}),
    next: nextStepOf(CODE, {}),
    http_status: null,
  };
}

function groupOf(problems: readonly LocatedProblem[]): ProblemGroup {
  const lines = problems.slice(0, LINES_OF_GROUP).map(({ line }) => line!);
  return { count: problems.length, first: problems[0]!, lines };
}
