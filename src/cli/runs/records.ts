import { AppError } from '../../core/app-error.ts';
import { total } from '../../core/values/counts.ts';
import type { Reading } from '../journal/reading.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument, snakeKeys } from '../output/json.ts';
import { problemLine } from '../output/text/problem-line.ts';
import { counted, escapedLines } from '../output/text/text.ts';
import type { ReportView } from '../push/ports/report.ts';
import type { TraceChoice, TracedAttempt, TracedRecord } from '../push/ports/trace.ts';
import type { ChosenRun } from './command-runs.ts';

interface ShownRecord {
  readonly record: TracedRecord;
  readonly file: string;
}

/** Every step of the chosen records of a command. */
interface RecordsResult {
  readonly run: string;
  /** Number of the chosen records, listed or not. */
  readonly total: number;
  readonly rows: readonly ShownRecord[];
  readonly showValues: boolean;
}

/** The records of a command on a line, or of an account. @throws AppError `record_not_traced` */
export function recordsOf(
  { id, readings }: ChosenRun,
  choice: TraceChoice,
  view: (reading: Reading) => ReportView,
): Omit<RecordsResult, 'showValues'> {
  const traced = readings.map((reading) => ({ reading, ...reading.traced(choice, view(reading)) }));
  const all = total(traced, (each) => each.total);
  if (all === 0) throw new AppError('record_not_traced', { run: id });
  const rows = traced.flatMap(({ reading, records }) =>
    records.map((record) => ({ record, file: reading.mappedSources()[record.source - 1]!.name })),
  );
  return { run: id, total: all, rows };
}

export const shownRecords = shownAs<RecordsResult>({
  document: ({ run, total: all, rows, showValues }, exit) => ({
    version: 1,
    exit: exitDocument(exit),
    run,
    records: rows.map(({ record, file }) => {
      const { importSupplier, account, id, amount, payload, problems, source: _, ...known } = record;
      const values = { importSupplier, account, id, amount, payload };
      const shown = snakeKeys({ ...known, ...(showValues && values) }, []) as object;
      return { file, ...shown, problems };
    }),
    records_total: all,
  }),
  text: ({ run, total: all, rows, showValues }) =>
    [
      escapedLines([`${counted(all, 'record')} of the run ${run}`]),
      ...rows.map((row) => rowText(row, showValues)),
      all > rows.length ? `… and ${all - rows.length} more\n` : '',
    ].join('\n'),
});

function rowText({ record, file }: ShownRecord, showValues: boolean): string {
  const { line, lastLine, state, cause, place, batch, outcome, origin, payload } = record;
  const lines = lastLine > line ? `${line} to ${lastLine}` : line;
  const end = state === 'filtered' ? `left out (${[cause, place].filter(Boolean).join(' at ')})` : state;
  const { importSupplier, account, id, type, amount } = record;
  const facts: readonly (readonly [label: string, fact: string | false | null])[] = [
    ['row', `${file}, line ${lines}: ${end}`],
    ['record', showValues && [importSupplier, account, id, type, amount].filter(Boolean).join(' ')],
    ['sent', showValues && payload],
    [
      'request',
      batch && `${batch.id}, ${batch.state}${batch.inDoubt === 1 ? ', may have been applied' : ''}`,
    ],
    ...record.attempts.map((attempt) => ['attempt', attemptText(attempt)] as const),
    ['outcome', outcome && outcome.replace('_', ' ')],
    ['journal', origin && `${origin} has the record`],
  ];
  const shown = facts.flatMap(([label, fact]) => (fact ? [label.padEnd(10) + fact] : []));
  return escapedLines(shown) + record.problems.map((problem) => `${problemLine(problem)}\n`).join('');
}

function attemptText({ startedAt, endedAt, status, result, reason, batch }: TracedAttempt): string {
  const answer = status === null ? 'no answer' : `status ${status}`;
  const why = reason === null ? '' : `: ${reason}`;
  return `request ${batch}, ${startedAt} to ${endedAt ?? 'now'}, ${answer}, ${result ?? 'in flight'}${why}`;
}
