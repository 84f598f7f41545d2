import { Option } from 'commander';
import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { flagValue, MOST_ROWS, runArgument, showValuesOption } from '../command/flags.ts';
import { count } from '../settings/parsers.ts';
import { recordsOf } from './run-records.ts';
import { shownRecords } from './records-result.ts';
import { shownForgottenRun, shownRunList, type ListedRunDocument } from './run-list.ts';
import { shownRun } from '../output/run/run-result.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { RunsFolder, type ListedRun } from '../run-file/runs-folder.ts';
import { endingInFolder } from '../ending/ending-in-folder.ts';
import { replacedBy, replacementOf, versionOf, type RunVersion } from './listed-runs.ts';
import { assertProven } from './proven-run.ts';
import { unresolvedFile } from './unresolved-file.ts';
import { reportWithReason, reportWithUnknownRows } from '../sending/end-reason.ts';
import { nextCommands, type NextCommands } from '../ending/next-commands.ts';
import { viewOf } from '../sending/report-view.ts';
import { openedRun } from '../ending/opened-run.ts';

export const runs: CommandDeclaration<object> = {
  examples: ['dataimport runs', 'dataimport runs show 20261121-101502-transactions-4f2a'],
  settings: ['runDir'],
  declare: () => undefined,
  run: list,
};

async function list(_options: object, context: CommandContext): Promise<CommandEnd> {
  const settings = await context.settings();
  const folder = new RunsFolder(settings.need('runDir'));
  // One by one: a listed run is open only until the next one is asked for.
  const found: { document: ListedRunDocument; version: RunVersion | undefined }[] = [];
  for (const listed of folder.list())
    found.push({ document: documentOf(listed), version: listed.header && versionOf(listed.run) });
  const versions = found.flatMap(({ version }) => version ?? []);
  // The run that was taken up last comes first, whatever the clock said.
  const inOrder = found.toSorted((a, b) => (b.version?.turn ?? Infinity) - (a.version?.turn ?? Infinity));
  const listed = inOrder.map(({ document, version }) => ({
    ...document,
    replaced_by: (version && replacedBy(version, versions)?.id) ?? null,
  }));
  const nowMs = context.io.timing.nowMs();
  return { exit: 'OK', result: shownRunList({ folder: folder.path, runs: listed, nowMs }) };
}

function documentOf(listed: ListedRun): ListedRunDocument {
  const { id, state } = listed;
  if (listed.header === undefined)
    return { ...UNREAD, run: id, state, reason: 'error' in listed ? reasonOf(listed.error) : null };
  const { createdAt, resource, target, sources } = listed.header;
  // A header that can be read does not prove that the rest can.
  try {
    return {
      ...UNREAD,
      run: id,
      cohort: listed.run.choice.cohort?.name ?? null,
      state,
      created_at: createdAt,
      resource,
      target,
      sources: sources.map(({ name }) => name),
      rows: listed.run.summary?.rows ?? listed.run.rows(),
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'run_damaged') throw error;
    return { ...UNREAD, run: id, state: 'damaged', reason: reasonOf(error) };
  }
}

/** A run that cannot be read now. */
const UNREAD = {
  cohort: null,
  created_at: null,
  resource: null,
  target: null,
  sources: [],
  rows: null,
  replaced_by: null,
  reason: null,
};

/** The reason alone, because the list names the run. */
function reasonOf({ facts, message }: AppError): string {
  return typeof facts['reason'] === 'string' ? facts['reason'] : message;
}

export interface RunsShowOptions {
  readonly run: string;
  /** Whether messages may repeat values of cells. */
  readonly showValues?: boolean;
  /** Whether the rows that only a person can settle are written to a file. */
  readonly unresolved?: boolean;
  readonly csv?: string;
  /** The records on this line, or of this account, are shown instead of the run. */
  readonly line?: number;
  readonly account?: string;
}

export const runsShow: CommandDeclaration<RunsShowOptions> = {
  description:
    'Shows what one run did, and ends with the exit code of the command that last sent it. With --line or --account it shows every step of records: the row, the columns that fed it, the request, each attempt with time and answer, and the outcome. Values of cells are shown with --show-values only, which reads the file of the run again.',
  examples: [
    'dataimport runs show 20261121-101502-transactions-4f2a',
    'dataimport runs show 20261121-101502-transactions-4f2a --line 1042',
    'dataimport runs show 20261121-101502-statements-4f2a --unresolved --csv unresolved.csv',
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
  const { io, globals } = context;
  if ((options.unresolved ?? false) !== (options.csv !== undefined))
    throw new AppError('usage', { reason: '--unresolved and --csv go together', command: 'runs show' });
  const settings = await context.settings();
  const commands = nextCommands(settings, globals, io.cwd);
  const folder = new RunsFolder(settings.need('runDir'));
  const run = openedRun(folder, options.run, context);
  assertProven(run, folder);
  const view = viewOf(run, { flags: options, commands, ports: context });
  const { line, account, showValues = false } = options;
  if (line !== undefined || account !== undefined) {
    const place = { folder, view, showValues, context };
    return { exit: 'OK', result: shownRecords(await recordsOf(run, { line, account }, place)) };
  }
  const { header, condition } = run;
  const end = condition === 'open' ? run.end : null;
  const counted = run.report(view);
  const choice = { settings, flags: globals, cwd: io.cwd };
  const { ending, commands: ofRun } = endingInFolder(run, counted, folder, choice);
  const file = header.sources[0]!.name;
  const known = reportWithReason(counted, end?.reason ?? null, { file, resume: ofRun.again });
  const hasDied = condition === 'open' && end === null;
  const report = hasDied ? reportWithUnknownRows(known, run.unknownRows()) : known;
  const replacement = replacementOf(run, folder);
  const notes = [
    ...(replacement ? [`Another version of its files is the run ${replacement.id}.`] : []),
    ...(options.csv === undefined ? [] : [unresolvedFile(run, options.csv, { io, commands })]),
  ];
  const origin = { ...header, runFile: folder.fileOf(header.id) };
  // The note about the list says what to do with it.
  const isListed = options.csv !== undefined && ending.next?.includes(' --unresolved ');
  const result = shownRun({
    run: header.id,
    report,
    ending: isListed
      ? { ...ending, next: null }
      : replacement
        ? { ...ending, next: commands.show(replacement) }
        : ending,
    durationMs: run.sendingMs(),
    origin,
    notes,
  });
  return { exit: ending.exit, result };
}

export type RunsForgetOptions = { readonly run: string; readonly force?: boolean };

export const runsForget: CommandDeclaration<RunsForgetOptions> = {
  description:
    'Erases the customer data of a run. Ids, lines, amounts and outcomes stay, so its report stays, too, and the history knows what it has sent. A run that was stopped while it read the file has no report and is removed.',
  examples: ['dataimport runs forget 20261121-101502-transactions-4f2a'],
  settings: ['runDir'],
  declare(command) {
    command
      .addArgument(runArgument())
      .option(
        '--force',
        'also erase a run with rows that are unfinished or to verify; nothing more can be sent from it then',
      );
  },
  run: forget,
};

async function forget(options: RunsForgetOptions, context: CommandContext): Promise<CommandEnd> {
  const settings = await context.settings();
  const folder = new RunsFolder(settings.need('runDir'));
  const run = openedRun(folder, options.run, context);
  const commands = nextCommands(settings, context.globals, context.io.cwd);
  const left = options.force ? null : whatIsLeft(run, commands);
  if (left !== null)
    throw new AppError('usage', { reason: `${left}, or add --force`, command: 'runs forget' });
  const done = erased(run, folder);
  return { exit: 'OK', result: shownForgottenRun({ run: options.run, done }) };
}

/** The reason to keep the texts of a run, and what to do first. Null when nobody needs them. */
function whatIsLeft(run: RunFile, commands: NextCommands): string | null {
  if (run.condition === 'open') return `the run is unfinished: go on with \`${commands.resume(run.header)}\``;
  const isUnsettled = run.condition === 'done' && run.rows().verify > 0;
  return isUnsettled
    ? `the run has rows to verify: settle them with \`${commands.unresolved(run.header)}\` first`
    : null;
}

/** Erases the payloads of a run. Says what that means. */
function erased(run: RunFile, folder: RunsFolder): string {
  if (run.condition === 'never_staged') {
    // Such a run has nothing to report, and would look like a finished one.
    run.close();
    folder.remove(run.header.id);
    return 'removed; it was stopped while it read the file, and it sent nothing';
  }
  run.erasePayloads();
  const left = run.condition === 'done' ? '' : '; its unsent records can no longer be sent from here';
  return `payloads erased${left}`;
}
