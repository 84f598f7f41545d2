import { Option } from 'commander';
import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { flagValue, MOST_ROWS, runArgument, showValuesOption } from '../command/flags.ts';
import { furthestFromDone, recordedEnding } from '../ending/ending.ts';
import type { NextCommands } from '../ending/next-commands.ts';
import type { Reading } from '../journal/reading.ts';
import { NO_PROBLEMS } from '../push/ports/listed-problems.ts';
import { shownCohort } from '../output/run/cohort-result.ts';
import type { RunResult } from '../output/run/run-document.ts';
import { shownRun } from '../output/run/run-summary.ts';
import { reportWithReason, viewOf } from '../sending/shown-report.ts';
import { count } from '../settings/parsers.ts';
import { chosenRun, runsIn, type ChosenRun } from './command-runs.ts';
import { endOfUnsent, listed, shownRunList } from './run-list.ts';
import { unresolvedFile } from './runs-confirm.ts';
import { total } from '../../core/values/counts.ts';
import type { Part, Result } from '../output/result.ts';
import { problemLine } from '../output/text/problem-line.ts';
import { counted } from '../output/text/text.ts';
import type { ReportView } from '../push/ports/report.ts';
import type { TraceChoice, TracedAttempt, TracedRecord } from '../push/ports/trace.ts';

export const runs: CommandDeclaration<object> = {
  description:
    'Lists the pushes and migrates that were typed with this folder: by whom and when, how each ended, and the rows of its files that have not arrived.',
  examples: ['dataimport runs', 'dataimport runs show'],
  settings: ['runDir'],
  declare: () => undefined,
  run: async (_options, context) => ({
    exit: 'OK',
    result: shownRunList(listed(runsIn(await context.settings(), context))),
  }),
};

export interface RunsShowOptions {
  readonly run?: string;
  /** Whether messages may repeat values of cells. */
  readonly showValues?: boolean;
  /** Whether the rows that only a person can settle are written to a file. */
  readonly unresolved?: boolean;
  readonly csv?: string;
  /** The records on this line, or of this account, are shown instead of the report. */
  readonly line?: number;
  readonly account?: string;
}

export const runsShow: CommandDeclaration<RunsShowOptions> = {
  description:
    'Shows what has become of the files of a command, and ends with the exit code of the command that last sent them. With --line or --account it shows every step of records: the row, how it ended and why, and each attempt with time and answer.',
  examples: [
    'dataimport runs show 20261121-101502-push-transactions --line 1042',
    'dataimport runs show 20261121-101502-migrate --unresolved --csv unresolved.csv',
  ],
  settings: ['runDir'],
  declare: (command) =>
    void command
      .addArgument(runArgument())
      .addOption(showValuesOption())
      .option('--unresolved', 'list the rows that no answer proves; with --csv')
      .option('--csv <file>', 'write that list, with account, id, date, amount, file and line, to a new file')
      .addOption(
        new Option('--line <n>', 'every step of the record on this line of its file')
          .argParser(flagValue(count({ max: MOST_ROWS })))
          .conflicts(['account', 'unresolved', 'csv']),
      )
      .addOption(
        new Option(
          '--account <number>',
          'every step of the records of this external account number, at most 100',
        ).conflicts(['unresolved', 'csv']),
      ),
  run: show,
};

async function show(options: RunsShowOptions, context: CommandContext): Promise<CommandEnd> {
  if ((options.unresolved ?? false) !== (options.csv !== undefined))
    throw new AppError('usage', { reason: '--unresolved and --csv go together', command: 'runs show' });
  const chosen = await chosenRun(options.run, context);
  const { commands, id, newer } = chosen;
  if (newer && newer !== id)
    throw new AppError('usage', {
      reason: `the run ${id} was replaced by ${newer}, which has read its files again and says how their rows stand`,
      todo: `Type \`${commands.show({ id: newer })}\`.`,
    });
  const view = (reading: Reading) => viewOf(reading, { flags: options, commands, ports: context });
  const { line, account, csv } = options;
  if (line !== undefined || account !== undefined)
    return { exit: 'OK', result: shownRecords(recordsOf(chosen, { line, account }, view)) };
  if (chosen.readings.length === 0) return endOfUnsent(chosen.list);
  const notes = csv === undefined ? [] : unresolvedFile(chosen, csv, context.io);
  const shown = chosen.readings.map((reading, index): RunResult => {
    const { header, condition } = reading;
    const end = condition === 'open' ? reading.end : null;
    const counted = reading.report(view(reading));
    const ending = recordedEnding(reading, counted, commands);
    const about = { file: header.sources[0]!.name, resume: commands.again(reading) };
    const report = reportWithReason(counted, end?.reason ?? null, about);
    // The note about the list says what to do with it.
    const isListed = csv !== undefined && ending.next?.includes(' --unresolved ');
    return {
      run: header.id,
      report,
      ending: isListed ? { ...ending, next: null } : ending,
      origin: { ...header, runFile: reading.db.name },
      notes: index === 0 ? notes : [],
    };
  });
  const [first] = shown as [RunResult];
  if (shown.length === 1) return { exit: first.ending.exit, result: shownRun(first) };
  const ending = furthestFromDone(shown.map((part) => part.ending));
  const cohort = {
    name: chosen.readings[0]!.choice.cohort?.name ?? chosen.id,
    parts: shown,
    checks: NO_PROBLEMS,
    accounts: null,
    unsent: [],
    ending,
    durationMs: 0,
  };
  return { exit: ending.exit, result: shownCohort(cohort) };
}

export type RunsForgetOptions = { readonly run?: string; readonly force?: boolean };

export const runsForget: CommandDeclaration<RunsForgetOptions> = {
  description:
    'Erases the customer data of the records of a command. Ids, lines, amounts and outcomes stay, so its report stays, too, and nothing that has arrived is sent again.',
  examples: ['dataimport runs forget', 'dataimport runs forget 20261121-101502-push-transactions'],
  settings: ['runDir'],
  declare(command) {
    command
      .addArgument(runArgument())
      .option(
        '--force',
        'also erase the texts of rows that have not arrived, or are unproven; their files are read again before they are sent',
      );
  },
  run: forget,
};

async function forget(options: RunsForgetOptions, context: CommandContext): Promise<CommandEnd> {
  const { id, readings, earlier, commands } = await chosenRun(options.run, context);
  const all = [...readings, ...earlier];
  const left = options.force ? undefined : all.map((reading) => whatIsLeft(reading, commands)).find(Boolean);
  if (left !== undefined)
    throw new AppError('usage', { reason: `${left}, or add --force`, command: 'runs forget' });
  for (const reading of all) reading.erasePayloads();
  const isDone = all.every(({ condition }) => condition === 'done');
  const sentence = `${id}: texts erased${isDone ? '' : '; the files are read again before the rest is sent'}`;
  return { exit: 'OK', result: { fields: { run: id }, text: () => [sentence] } };
}

/** The reason to keep the texts of a reading, and what to do first. Undefined when nobody needs them. */
function whatIsLeft(reading: Reading, commands: NextCommands): string | undefined {
  if (reading.condition === 'open') return `rows have not arrived: go on with \`${commands.again(reading)}\``;
  if (reading.condition === 'done' && reading.rows().verify > 0)
    return `rows are unproven: settle them with \`${commands.unresolved(reading.header)}\` first`;
  return undefined;
}

/** Every step of the records of a command on a line, or of an account. `total`: of these, listed or not. */
function recordsOf({ id, readings }: ChosenRun, choice: TraceChoice, view: (reading: Reading) => ReportView) {
  const traced = readings.map((reading) => reading.traced(choice, view(reading)));
  const all = total(traced, (each) => each.total);
  if (all === 0)
    throw new AppError('usage', {
      reason: `the run ${id} has no such record`,
      todo: `Give a line of the file, or an account number as the file has it; \`dataimport runs show RUN\` names the files. A record that another run has sent is found by --account.`,
    });
  return { run: id, total: all, records: traced.flatMap(({ records }) => records) };
}

const shownRecords = ({ run, total: all, records }: ReturnType<typeof recordsOf>): Result => ({
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
