import { Option } from 'commander';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command.ts';
import { targetOf } from '../connection.ts';
import { declareSending, runArgument, showValuesOption, type SendingFlags } from '../flags.ts';
import { RETRIED, type Retried } from '../run-file/retrying.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';
import { reachPlatform } from '../runs/first-answer.ts';
import { listenForInterruption } from '../runs/interruption.ts';
import { appliedContract, assertSameContract } from '../runs/applied-contract.ts';
import { sendingProgress } from '../runs/continue.ts';
import { assertMetricsWritable } from '../runs/metrics-file.ts';
import { assertLocalDisk } from '../runs/network-disk.ts';
import { assertSameTarget, namingCommand, nextCommands } from '../runs/next-commands.ts';
import { sendRun } from '../runs/send.ts';
import { warnOfSharedFolder } from '../runs/shared-folder.ts';
import { batchLimits } from '../runs/stage.ts';
import { releaseParent, takeOver } from '../runs/take-over.ts';
import { settingsForRuns } from '../runs/settings-in-folder.ts';

export interface RetryOptions extends SendingFlags {
  readonly run: string;
  /** All that may be retried when left out. */
  readonly only?: Retried;
  /** Whether records are taken once more that another run took over; of payment instructions, whether refused ones are taken. */
  readonly new?: boolean;
}

export const command: CommandDeclaration<RetryOptions> = {
  description:
    'Begins a new run of the records of an earlier run that were refused, whose outcome is unknown, or that have to be verified. They come from its run file, unchanged. A retry helps when the cause was on the platform; a wrong row has to be corrected and pushed.',
  examples: [
    'dataimport retry 20261121-101502-transactions-4f2a',
    'dataimport retry 20261121-101502-transactions-4f2a --only rejected --on-reject skip',
  ],
  settings: [
    'baseUrl',
    'caFile',
    'contract',
    'batchSize',
    'maxBatchBytes',
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
      .addArgument(runArgument())
      .addOption(new Option('--only <outcome>', 'only the records with this outcome').choices(RETRIED))
      .option(
        '--new',
        'also take records that another run took over; payment instructions: also send refused ones again, unchanged',
      )
      .addOption(showValuesOption());
    declareSending(command);
  },
  run,
};

async function run(options: RetryOptions, context: CommandContext): Promise<CommandEnd> {
  const { io, log, onClose } = context;
  assertMetricsWritable(options.metricsFile, io.cwd);
  const startedMs = io.timing.monotonicMs();
  const settings = settingsForRuns([options.run], await context.settings());
  const commands = nextCommands(settings, context.globals, io.cwd);
  const folder = new RunsFolder(settings.need('runDir'));
  assertLocalDisk(folder, options.allowNetworkDisk, io);
  warnOfSharedFolder(folder, context);
  const parent = folder.open(options.run);
  onClose(() => parent.close());
  assertSameTarget('retry', parent.header, settings, commands);
  const contract = await appliedContract(settings, io.cwd);
  assertSameContract(parent.header, contract);
  const interruption = listenForInterruption(context);
  const target = targetOf(settings, io, parent.header.target);
  const { platform, pausedUntilMs } = await reachPlatform(target, settings, context, interruption);

  const { only, onReject, new: again = false } = options;
  const limits = batchLimits(parent.header.resource, settings, contract);
  const choice = { only, onReject, again, limits };
  const run = await namingCommand(commands.retry(parent.header), () =>
    takeOver(parent, choice, { folder, commands, io }),
  );
  onClose(() => run.close());
  const progress = await sendingProgress(run, options, context);
  const { ending, ...sent } = await sendRun(
    run,
    {
      flags: options,
      settings,
      commands,
      startedMs,
      contract,
      pausedUntilMs,
    },
    { platform, progress, interruption, timing: io.timing, log },
  );
  // The rest of the earlier run is the next thing to send, once this run is finished.
  const rest = parent.isOpen ? commands.resume(parent.header) : null;
  parent.close();
  releaseParent(run, folder);
  const next = ending.resumable ? ending.next : (rest ?? ending.next);
  return { exit: ending.exit, result: { kind: 'run', ...sent, ending: { ...ending, next } } };
}
