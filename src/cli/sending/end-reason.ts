import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import type { Facts } from '../../core/problem.ts';
import { durationText } from '../output/text/text.ts';
import { listedProblems } from '../push/ports/listed-problems.ts';
import {
  LINES_OF_GROUP,
  type RunReport,
  type EndReason,
  type RowCounts,
  type LocatedProblem,
} from '../push/ports/report.ts';
import { isTooLongToMean } from '../push/retry.ts';
import type { UnknownRow } from '../journal/read/reporting.ts';
import type { DrainEnd } from '../push/send/drain.ts';

/**
 * What ended a run early. Null where nothing did, and where the problems of the rows or the exit code say it.
 * `resume`: the command that continues the run.
 */
export function endReasonOf(end: DrainEnd, rows: RowCounts, resume: string): EndReason | null {
  switch (end.kind) {
    case 'unfinished': {
      const { isInformational, request, others = 0 } = end;
      const time = durationText(end.afterMs);
      const reason = request === undefined ? end.reason : `${end.reason} (${request})`;
      if (isInformational) return { code: 'retry_cannot_help', facts: { time, reason, resume } };
      if (others > 0) return { code: 'request_fails_alone', facts: { time, others, reason, resume } };
      return { code: 'retry_time_used_up', facts: { time, reason, resume } };
    }
    case 'unproven':
      return { code: 'answer_unproven', facts: { reason: end.reason, request: end.request, resume } };
    case 'asked_to_wait':
      if (isTooLongToMean(end.askedMs))
        return { code: 'retry_after_not_meant', facts: { reason: end.reason, resume } };
      return {
        code: 'retry_after_too_long',
        facts: { asked: durationText(end.askedMs), reason: end.reason, resume },
      };
    case 'unconnected':
      return { code: 'connections_exhausted', facts: { reason: end.reason, resume } };
    case 'time_over':
      return { code: 'max_duration_over', facts: { time: durationText(end.maxDurationMs), resume } };
    case 'too_many_errors':
      // Counted from the rows, because requests that were in flight may have added errors.
      return {
        code: 'max_errors_exceeded',
        facts: { errors: rows.invalid + rows.rejected, limit: end.limit, resume },
      };
    case 'unauthenticated':
      return end.error ? { code: end.error.code, facts: end.error.facts } : null;
    case 'unrecorded':
      return { code: end.error.code, facts: end.error.facts };
    case 'finished':
    case 'refused':
    case 'interrupted':
      return null;
    default:
      return end satisfies never;
  }
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
