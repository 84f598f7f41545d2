import { AppError } from '../../core/app-error.ts';
import { total } from '../../core/values/counts.ts';
import type { Reading } from '../journal/reading.ts';
import type { Part, Result } from '../output/result.ts';
import { problemLine } from '../output/text/problem-line.ts';
import { counted } from '../output/text/text.ts';
import type { ReportView } from '../push/ports/report.ts';
import type { TraceChoice, TracedAttempt, TracedRecord } from '../push/ports/trace.ts';
import type { ChosenRun } from './command-runs.ts';

/**
 * Every step of the records of a command on a line, or of an account. `total`: of these, listed or not. @throws AppError `unknown_name`
 */
export function recordsOf(
  { id, readings }: ChosenRun,
  choice: TraceChoice,
  view: (reading: Reading) => ReportView,
) {
  const traced = readings.map((reading) => reading.traced(choice, view(reading)));
  const all = total(traced, (each) => each.total);
  if (all === 0)
    throw new AppError('unknown_name', {
      reason: `the run ${id} has no such record`,
      todo: `Give a line of the file, or an account number as the file has it; \`dataimport runs show ${id}\` names the files. A record that another run has sent is found by --account.`,
    });
  return { run: id, total: all, records: traced.flatMap(({ records }) => records) };
}

export const shownRecords = ({ run, total: all, records }: ReturnType<typeof recordsOf>): Result => ({
  fields: { run, records, records_total: all },
  text: () => [
    `${counted(all, 'record')} of the run ${run}`,
    ...records.flatMap((record) => ['', ...recordParts(record)]),
    ...(all > records.length ? ['', `… and ${all - records.length} more`] : []),
  ],
});

function recordParts(record: TracedRecord): readonly Part[] {
  const { file, line, last_line: last, outcome, cause, place, attempts, problems } = record;
  const end = cause === null ? outcome : `left out (${[cause, place].filter(Boolean).join(' at ')})`;
  const row = `row       ${file}, line ${last > line ? `${line} to ${last}` : line}: ${end}`;
  return [row, ...attempts.map(attemptText), ...problems.map((problem) => problemLine(problem))];
}

function attemptText(attempt: TracedAttempt): string {
  const { batch, started_at: start, ended_at: end, status, result, reason } = attempt;
  const answer = status === null ? 'no answer' : `status ${status}`;
  const why = reason === null ? '' : `: ${reason}`;
  return `attempt   request ${batch}, ${start} to ${end ?? 'now'}, ${answer}, ${result ?? 'in flight'}${why}`;
}
