import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command.ts';
import { connect, targetOf } from '../connection.ts';
import { declareSending, showValuesOption, type SendingFlags } from '../flags.ts';
import type { RunResult } from '../output/run-document.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';
import { continueRun, finishedResult } from '../runs/continue.ts';
import { assertSameContract } from '../runs/applied-contract.ts';
import { assertSameTarget, nextCommands } from '../runs/next-commands.ts';
import { rejectsOfRun } from '../runs/rejects.ts';
import { viewOf } from '../runs/send.ts';
import { warnOfSharedFolder } from '../runs/shared-folder.ts';

export interface ResumeOptions extends SendingFlags {
  /** The newest unfinished run when left out. */
  readonly run?: string;
  /** File for copies of the refused rows of the run. */
  readonly rejects?: string;
}

export const command: CommandDeclaration<ResumeOptions> = {
  description:
    'Sends the records that a run has not sent yet. They come from its run file, so the CSV files are not read again. Without an id it continues the newest unfinished run.',
  examples: ['dataimport resume', 'dataimport resume 20261121-101502-transactions-4f2a'],
  settings: ['baseUrl', 'contract', 'caFile', 'concurrency', 'rateLimit', 'retryFor', 'timeout', 'runDir'],
  declare(command) {
    command
      .argument('[run]', 'id of the run (default: the newest unfinished one)')
      .option(
        '--rejects <file>',
        'copy the rejected rows of the run to a file, unchanged, and the reasons to a file beside it; needs the CSV files of the push',
      )
      .addOption(showValuesOption());
    declareSending(command);
  },
  run,
};

async function run(options: ResumeOptions, context: CommandContext): Promise<CommandEnd> {
  const { io, onClose } = context;
  const startedMs = io.timing.monotonicMs();
  const settings = await context.settings();
  const commands = nextCommands(settings, context.globals, io.cwd);
  const folder = new RunsFolder(settings.need('runDir'));
  warnOfSharedFolder(folder, context);
  const run = openedRun(options.run, folder);
  onClose(() => run.close());
  const view = viewOf(run, { flags: options, commands });
  const rejects = { ...(await rejectsOfRun(options.rejects, run, { cwd: io.cwd, onClose })), view };
  const choice = { flags: options, settings, commands, folder, rejects, startedMs };
  if (run.condition === 'done') return ended(await finishedResult(run, choice));
  assertSameTarget('resume', run.header, settings, commands);
  await assertSameContract(run.header, settings, io.cwd);
  const open = async () =>
    (await connect(targetOf(settings, io, run.header.target), settings, context)).platform;
  return ended(await continueRun(run, choice, context, { connect: open }));
}

function ended(result: RunResult): CommandEnd {
  return { exit: result.ending.exit, result };
}

/** @throws AppError `run_never_staged`, `run_forgotten`, and those of `newestOpen` and `RunsFolder.open` */
function openedRun(id: string | undefined, folder: RunsFolder): RunFile {
  const run = folder.open(id ?? newestOpen(folder));
  const { condition, header } = run;
  if (condition === 'open' || condition === 'done') return run;
  run.close();
  throw new AppError(condition === 'never_staged' ? 'run_never_staged' : 'run_forgotten', { run: header.id });
}

/**
 * @throws AppError `run_none_unfinished`; `run_locked`, `run_inaccessible`, `run_version_differs` or `run_damaged` when the
 * newest run that may be unfinished cannot be read
 */
function newestOpen(folder: RunsFolder): string {
  let unreadable: AppError | undefined;
  for (const listed of folder.list()) {
    if (listed.state === 'open') return listed.id;
    if (listed.state === 'in_use') unreadable ??= new AppError('run_locked', { run: listed.id });
    if ('error' in listed) unreadable ??= listed.error;
  }
  if (unreadable !== undefined) throw unreadable;
  throw new AppError('run_none_unfinished', { folder: folder.path });
}
