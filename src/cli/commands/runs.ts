import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command.ts';
import { runArgument, showValuesOption } from '../flags.ts';
import type { ListedRunDocument } from '../output/run-list.ts';
import { counted } from '../output/text.ts';
import type { RowCounts } from '../push/ports/report.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { RunsFolder, type ListedRun } from '../run-file/runs-folder.ts';
import { cohortFolders } from '../runs/cohort-files.ts';
import { reportWithReason, reportWithUnknownRows } from '../runs/end-reason.ts';
import { recordedEnding } from '../runs/ending.ts';
import { commandsAfter, nextCommands } from '../runs/next-commands.ts';
import { viewOf } from '../runs/send.ts';
import { settingsForRuns } from '../runs/settings-in-folder.ts';
import { releaseParent } from '../runs/take-over.ts';

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
  const found: ListedRunDocument[] = [];
  for (const listed of folder.list()) found.push(documentOf(listed, null));
  for (const { cohort, folder: own } of cohortFolders(folder))
    for (const listed of own.list()) found.push(documentOf(listed, cohort));
  return {
    exit: 'OK',
    result: { kind: 'run_list', folder: folder.path, runs: found, nowMs: context.io.timing.nowMs() },
  };
}

function documentOf(listed: ListedRun, cohort: string | null): ListedRunDocument {
  const { id, state } = listed;
  if (listed.header === undefined)
    return { ...UNREAD, run: id, cohort, state, reason: 'error' in listed ? reasonOf(listed.error) : null };
  const { createdAt, resource, target, sources, parent } = listed.header;
  const rows = countedRows(listed.run);
  if (rows instanceof AppError)
    return { ...UNREAD, run: id, cohort, state: 'damaged', reason: reasonOf(rows) };
  return {
    run: id,
    cohort,
    state,
    created_at: createdAt,
    resource,
    target,
    sources: sources.map(({ name }) => name),
    rows,
    parent,
    reason: null,
  };
}

/** A header that can be read does not prove that the rows can. */
function countedRows(run: RunFile): RowCounts | AppError {
  try {
    return run.rows();
  } catch (error) {
    if (error instanceof AppError && error.code === 'run_damaged') return error;
    throw error;
  }
}

/** A run that cannot be read now. */
const UNREAD = { created_at: null, resource: null, target: null, sources: [], rows: null, parent: null };

/** The reason alone, because the list names the run. */
function reasonOf({ facts, message }: AppError): string {
  return typeof facts['reason'] === 'string' ? facts['reason'] : message;
}

export interface RunsShowOptions {
  readonly run: string;
  /** Whether messages may repeat values of cells. */
  readonly showValues?: boolean;
}

export const runsShow: CommandDeclaration<RunsShowOptions> = {
  description: 'Shows what one run did, and ends with the exit code of the command that last sent it.',
  examples: ['dataimport runs show 20261121-101502-transactions-4f2a'],
  settings: ['runDir'],
  declare: (command) => void command.addArgument(runArgument()).addOption(showValuesOption()),
  run: show,
};

async function show(options: RunsShowOptions, context: CommandContext): Promise<CommandEnd> {
  const settings = settingsForRuns([options.run], await context.settings());
  const commands = nextCommands(settings, context.globals, context.io.cwd);
  const folder = new RunsFolder(settings.need('runDir'));
  const run = folder.open(options.run);
  context.onClose(() => run.close());
  const { header, condition } = run;
  releaseParent(run, folder);
  const resume = commands.resume(header);
  const end = condition === 'done' ? null : run.end;
  const file = header.sources[0]!.name;
  const view = viewOf(run, { flags: options, commands });
  const known = reportWithReason(run.report(view), end?.reason ?? null, { file, resume });
  const hasDied = condition === 'open' && end === null;
  const report = hasDied ? reportWithUnknownRows(known, run.unknownRows()) : known;
  const after = { ...commandsAfter(run, commands), show: null };
  const ending = recordedEnding(condition, report, { end, resume, after });
  const origin = { ...header, runFile: folder.fileOf(header.id) };
  const durationMs = run.sendingMs();
  return {
    exit: ending.exit,
    result: { kind: 'run', run: header.id, report, ending, durationMs, origin },
  };
}

export interface RunsForgetOptions {
  readonly run: string;
  readonly force?: boolean;
}

export const runsForget: CommandDeclaration<RunsForgetOptions> = {
  description:
    'Erases the customer data of a run. Ids, lines, amounts and outcomes stay, so its report stays, too. Rows to verify count as compared with the platform from then on. A run that was stopped while it read the file has no report and is removed.',
  examples: ['dataimport runs forget 20261121-101502-transactions-4f2a'],
  settings: ['runDir'],
  declare(command) {
    command
      .addArgument(runArgument())
      .option('--force', 'also erase an unfinished run, which can never be resumed then');
  },
  run: forget,
};

async function forget(options: RunsForgetOptions, context: CommandContext): Promise<CommandEnd> {
  const settings = settingsForRuns([options.run], await context.settings());
  const folder = new RunsFolder(settings.need('runDir'));
  const run = folder.open(options.run);
  context.onClose(() => run.close());
  if (run.condition === 'open' && !options.force) {
    const resume = nextCommands(settings, context.globals, context.io.cwd).resume(run.header);
    const reason = `the run is unfinished: continue it with \`${resume}\`, or add --force`;
    throw new AppError('usage', { reason, command: 'runs forget' });
  }
  const done = erased(run, folder);
  return { exit: 'OK', result: { kind: 'forgotten_run', run: options.run, done } };
}

/** Erases the payloads of a run. Says what that means. */
function erased(run: RunFile, folder: RunsFolder): string {
  if (run.condition === 'never_staged') {
    // Such a run has nothing to report, and would look like a finished one.
    run.close();
    folder.remove(run.header.id);
    return 'removed; it was stopped while it read the file, and it sent nothing';
  }
  const before = run.report().judged;
  run.erasePayloads();
  const left = run.condition === 'done' ? '' : '; its unsent records can no longer be sent from here';
  const judged = run.report().judged - before;
  const compared = judged === 0 ? '' : `; ${counted(judged, 'row')} to verify count as compared by you`;
  return `payloads erased${left}${compared}`;
}
