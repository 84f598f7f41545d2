import type { AppError } from '../../core/app-error.ts';
import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import type { DrainEnd } from '../push/drain.ts';
import type { EndReason, RowCounts, RunReport } from '../push/ports/report.ts';
import { durationText } from '../render/text.ts';

/** The report of a run with what ended it early, where the problems of its rows do not tell. */
export function reportWithEnd(report: RunReport, reason: EndReason | null, run: EndedRun): RunReport {
  if (!reason) return report;
  const { code } = reason;
  // Told later, the line is that of the command that tells it.
  const facts = { ...reason.facts, resume: run.resume };
  const nowhere = { line: null, column: null, header: null, attr: null, http_status: null };
  const problem = { code, severity: 'error', file: run.source, ...nowhere } as const;
  const texts = { detail: sentenceOf(code, facts), next: nextStepOf(code, facts) };
  return {
    ...report,
    problems: [{ ...problem, ...texts }, ...report.problems],
    errorGroups: [{ count: 1, first: { ...problem, ...texts }, lines: [] }, ...report.errorGroups],
    problemsTotal: report.problemsTotal + 1,
    errorsTotal: report.errorsTotal + 1,
  };
}

/** What of a run stands in the sentence about its end. */
export interface EndedRun {
  /** Name of its first source. */
  readonly source: string;
  /** The command that goes on with it. */
  readonly resume: string;
}

/**
 * What ended a drain early; null where nothing did, and where the problems of the rows or the exit code say it. `resume` is
 * the command that goes on with the run.
 */
export function reasonOf(end: DrainEnd, rows: RowCounts, resume: string): EndReason | null {
  switch (end.kind) {
    case 'unfinished':
      return {
        code: 'retry_time_used_up',
        facts: { time: durationText(end.afterMs), reason: end.reason, resume },
      };
    case 'asked_to_wait':
      return {
        code: 'retry_after_too_long',
        facts: { asked: durationText(end.askedMs), reason: end.reason, resume },
      };
    case 'unresolved':
      return { code: 'ambiguous_stopped', facts: { reason: end.reason, resume } };
    case 'time_over':
      return { code: 'max_duration_over', facts: { time: durationText(end.maxDurationMs), resume } };
    case 'too_many_errors':
      // Also those of the requests that were in flight when there were too many.
      return {
        code: 'max_errors_exceeded',
        facts: { errors: rows.invalid + rows.rejected, limit: end.limit, resume },
      };
    case 'unauthenticated':
      return end.error ? reasonOfError(end.error) : null;
    case 'unrecorded':
      return reasonOfError(end.error);
    case 'finished':
    case 'refused':
    case 'interrupted':
      return null;
    default:
      return end satisfies never;
  }
}

function reasonOfError({ code, facts }: AppError): EndReason {
  return { code, facts };
}
