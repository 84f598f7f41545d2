import { AppError } from '../../core/app-error.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import type { CommandContext, CommandDeclaration } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import { declareDraining, type DrainFlags } from './drain-flags.ts';
import { finishRun } from './drain-run.ts';
import { listenForInterruption } from './interruption.ts';
import { rejectsNotesAfterSending } from './rejects-notes.ts';
import { rejectsOfRun } from './rejects-of-run.ts';
import { assertTakersDone, releaseParent } from './retried-run.ts';
import { finishedEnding } from './run-ending.ts';
import { linesAfter, runsFolder } from './runs-folder.ts';
import { assertSameTarget } from './same-target.ts';
import { showRun } from './show-run.ts';

export interface ResumeOptions extends DrainFlags {
  /** The newest unfinished run when left out. */
  readonly run?: string;
  readonly showValues?: boolean;
  /** File for the rows of the run that are refused, as they stand in their source. */
  readonly rejects?: string;
}

export const resume: CommandDeclaration<ResumeOptions> = {
  name: 'resume',
  group: 'Migrate',
  summary: 'Go on with a run that did not finish',
  description:
    'Sends what a run has not sent yet, from its run file: the CSV files are not read again. Without an id it goes on with the newest unfinished run.',
  examples: ['dataimport resume', 'dataimport resume 20261121-101502-transactions-4f2a'],
  settings: ['baseUrl', 'caFile', 'concurrency', 'rateLimit', 'retryFor', 'timeout', 'runDir'],
  declare(command) {
    command
      .argument('[run]', 'id of the run; the newest unfinished one when left out')
      .option(
        '--rejects <file>',
        'write the refused rows of the run to a file, as they are, with the reasons beside it; needs the CSV files of the push',
      )
      .option('--show-values', 'messages of the platform may repeat values of cells');
    declareDraining(command);
  },
  run: resumeRun,
};

async function resumeRun(options: ResumeOptions, context: CommandContext): Promise<ExitName> {
  const { io } = context;
  const startedMs = io.timing.monotonicMs();
  const folder = await runsFolder(context);
  const run = folder.open(options.run ?? newestOpen(folder));
  context.onClose(() => run.close());
  const { condition } = run;
  if (condition === 'never_staged') throw new AppError('run_never_staged', { run: run.header.id });
  if (condition === 'forgotten') throw new AppError('run_forgotten', { run: run.header.id });
  const rejects = await rejectsOfRun(options.rejects, run, context);
  if (condition === 'done') return showAgain(run, rejects, context);
  await assertSameTarget('resume', run.header, context);
  await assertTakersDone(run, folder, context);

  const { connect } = await import('../connection.ts');
  const { platform } = await connect(context, { baseUrl: run.header.target });
  const { showProgress } = await import('../render/progress.ts');
  const interruption = listenForInterruption(context);
  run.reopen(preciseInstantOfClock(io.timing.nowMs()));
  const progress = await showProgress(context, { kind: 'planned', ...run.openWork() });
  context.onClose(progress.stop);
  const showValues = options.showValues ?? false;
  const parts = { platform, progress, interruption, showValues, flags: options, startedMs };
  const { report, ending } = await finishRun(run, parts, context);
  releaseParent(run, folder);
  const notes = await rejectsNotesAfterSending({ run, ...rejects });
  showRun(report, { ...ending, notes, durationMs: io.timing.monotonicMs() - startedMs }, context);
  return ending.exit;
}

/** Nothing is asked of the platform: the run tells how it ended. */
async function showAgain(
  run: RunFile,
  rejects: Awaited<ReturnType<typeof rejectsOfRun>>,
  context: CommandContext,
): Promise<ExitName> {
  const report = run.report();
  const ending = finishedEnding(report, await linesAfter(run, context));
  if (!context.globals.json)
    context.io.stdout.write('nothing was left to do: this is the report of the run as it ended before\n');
  const notes = await rejectsNotesAfterSending({ run, ...rejects });
  showRun(report, { ...ending, notes, durationMs: run.sendingMs() }, context);
  return ending.exit;
}

/** @throws AppError `run_locked`, `run_damaged` of the newest that may be unfinished and cannot be read, `run_none_unfinished` */
function newestOpen(folder: RunsFolder): string {
  let unreadable: AppError | undefined;
  for (const listed of folder.list()) {
    if (listed.state === 'open') return listed.id;
    if (listed.state === 'in_use') unreadable ??= new AppError('run_locked', { run: listed.id });
    if (listed.state === 'damaged') unreadable ??= listed.error;
  }
  if (unreadable !== undefined) throw unreadable;
  throw new AppError('run_none_unfinished', { folder: folder.path });
}
