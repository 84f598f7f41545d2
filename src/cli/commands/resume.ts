import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command.ts';
import { targetOf } from '../connection.ts';
import { declareSending, showValuesOption, type SendingFlags } from '../flags.ts';
import type { RunResult } from '../output/run-document.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';
import { appliedContract, assertSameContract } from '../runs/applied-contract.ts';
import { continueRun, finishedResult } from '../runs/continue.ts';
import { reachPlatform } from '../runs/first-answer.ts';
import { listenForInterruption } from '../runs/interruption.ts';
import { assertMetricsWritable } from '../runs/metrics-file.ts';
import { assertLocalDisk } from '../runs/network-disk.ts';
import { assertSameTarget, cohortNameOf, nextCommands, type NextCommands } from '../runs/next-commands.ts';
import { rejectsOfRun } from '../runs/rejects.ts';
import { viewOf } from '../runs/send.ts';
import { warnOfSharedFolder } from '../runs/shared-folder.ts';
import { settingsForRuns } from '../runs/settings-in-folder.ts';

export interface ResumeOptions extends SendingFlags {
  /** The newest unfinished run to the same platform when left out. */
  readonly run?: string;
  /** File for copies of the refused rows of the run. */
  readonly rejects?: string;
}

export const command: CommandDeclaration<ResumeOptions> = {
  description:
    'Sends the records that a run has not sent yet. They come from its run file, so the CSV files are not read again. Without an id it continues the newest unfinished run to the same platform.',
  examples: ['dataimport resume', 'dataimport resume 20261121-101502-transactions-4f2a'],
  settings: [
    'baseUrl',
    'contract',
    'caFile',
    'concurrency',
    'rateLimit',
    'rateLimitTotal',
    'retryFor',
    'connectTimeout',
    'timeout',
    'runDir',
  ],
  declare(command) {
    command
      .argument('[run]', 'id of the run (default: the newest unfinished one to the same platform)')
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
  assertMetricsWritable(options.metricsFile, io.cwd);
  const startedMs = io.timing.monotonicMs();
  const settings = settingsForRuns([options.run], await context.settings());
  const commands = nextCommands(settings, context.globals, io.cwd);
  const folder = new RunsFolder(settings.need('runDir'));
  assertLocalDisk(folder, options.allowNetworkDisk, io);
  warnOfSharedFolder(folder, context);
  const run = openedRun(options.run, folder, settings.get('baseUrl'));
  onClose(() => run.close());
  const view = viewOf(run, { flags: options, commands });
  const rejects = { ...(await rejectsOfRun(options.rejects, run, { cwd: io.cwd, onClose })), view };
  const choice = { flags: options, settings, commands, folder, rejects, startedMs };
  if (run.condition === 'done') return ended(await finishedResult(run, choice));
  assertSameTarget('resume', run.header, settings, commands);
  assertNoCohort(run.header, commands);
  const contract = await appliedContract(settings, io.cwd);
  assertSameContract(run.header, contract);
  const interruption = listenForInterruption(context);
  const target = targetOf(settings, io, run.header.target);
  const reach = () => reachPlatform(target, settings, context, interruption);
  return ended(await continueRun(run, { ...choice, contract }, context, { reach, interruption }));
}

function ended(result: RunResult): CommandEnd {
  return { exit: result.ending.exit, result };
}

/**
 * A run of a cohort alone would ignore the order of its resources, and whether its accounts are imported. A retry of such a run
 * is a run of its own. @throws AppError `run_of_cohort`
 */
function assertNoCohort(header: RunHeader, commands: NextCommands): void {
  const cohort = cohortNameOf(header);
  if (cohort === undefined) return;
  throw new AppError('run_of_cohort', { run: header.id, cohort, line: commands.resume(header) });
}

/** @throws AppError `run_never_staged`, `run_forgotten`, and those of `newestOpen` and `RunsFolder.open` */
function openedRun(id: string | undefined, folder: RunsFolder, target: string | undefined): RunFile {
  const run = folder.open(id ?? newestOpen(folder, target));
  const { condition, header } = run;
  if (condition === 'open' || condition === 'done') return run;
  run.close();
  throw new AppError(condition === 'never_staged' ? 'run_never_staged' : 'run_forgotten', { run: header.id });
}

/**
 * The newest unfinished run to a target, never a run to another one. Without a target all unfinished runs have to go to the
 * same platform. Where every unfinished run goes to another target, it is the newest one, which `assertSameTarget` refuses
 * with its own `resume` line.
 * @throws AppError `run_none_unfinished`, `run_target_unclear`; `run_locked`, `run_inaccessible`, `run_version_differs` or
 * `run_damaged` when the newest run that may be unfinished cannot be read
 */
function newestOpen(folder: RunsFolder, target: string | undefined): string {
  let unreadable: AppError | undefined;
  const open: { readonly id: string; readonly target: string }[] = [];
  for (const listed of folder.list()) {
    if (listed.state === 'open') open.push({ id: listed.id, target: listed.header.target });
    if (listed.state === 'in_use') unreadable ??= new AppError('run_locked', { run: listed.id });
    if ('error' in listed) unreadable ??= listed.error;
  }
  const [newest] = open;
  if (newest === undefined) throw unreadable ?? new AppError('run_none_unfinished', { folder: folder.path });
  if (target !== undefined) return (open.find((run) => run.target === target) ?? newest).id;
  if (open.every((run) => run.target === newest.target)) return newest.id;
  throw new AppError('run_target_unclear', { folder: folder.path });
}
