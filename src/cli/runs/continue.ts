import { preciseInstantOfClock } from '../../core/values/instant.ts';
import type { CommandPorts } from '../command-ports.ts';
import type { SendingFlags } from '../flags.ts';
import type { Progress } from '../output/progress.ts';
import type { RunResult } from '../output/run-document.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import type { Settings } from '../settings/settings.ts';
import type { AppliedContract } from './applied-contract.ts';
import { finishedEnding } from './ending.ts';
import type { ReachedPlatform } from './first-answer.ts';
import type { Interruption } from './interruption.ts';
import {
  commandsAfter,
  copyOfRejects,
  endingWithRejects,
  namingCommand,
  type NextCommands,
} from './next-commands.ts';
import { withMetrics } from './metrics-file.ts';
import { rejectsAfterSending, type Rejects } from './rejects.ts';
import { sendRun, viewOf } from './send.ts';
import { assertTakersDone, releaseParent } from './take-over.ts';

/** How an earlier run is continued. */
export interface ContinuingChoice {
  readonly flags: SendingFlags;
  readonly settings: Settings;
  readonly commands: NextCommands;
  readonly folder: RunsFolder;
  readonly rejects: Rejects;
  readonly contract: AppliedContract | undefined;
  /** When the command began, by the monotonic clock. */
  readonly startedMs: number;
}

/**
 * Sends what an earlier command left open in a run. `reach`: waits for the first answer of the platform.
 * @throws AppError `run_taken_over`, `run_locked`, `run_write_failed`, `totals_unequal`
 */
export async function continueRun(
  run: RunFile,
  { flags, settings, commands, folder, rejects, contract, startedMs }: ContinuingChoice,
  ports: CommandPorts,
  { reach, interruption }: { reach(): Promise<ReachedPlatform>; readonly interruption: Interruption },
): Promise<RunResult> {
  const { io, log } = ports;
  assertTakersDone(run, folder, commands);
  const { platform, pausedUntilMs } = await reach();
  await namingCommand(commands.resume(run.header), () => {
    if (flags.onReject !== undefined) run.rememberOnReject(flags.onReject);
    run.reopen(preciseInstantOfClock(io.timing.nowMs()));
  });
  const progress = await sendingProgress(run, flags, ports);
  const sent = await sendRun(
    run,
    { flags, settings, commands, startedMs, contract, pausedUntilMs },
    { platform, progress, interruption, timing: io.timing, log },
  );
  releaseParent(run, folder);
  const ending = endingWithRejects(
    sent.ending,
    copyOfRejects(run.header, commands),
    rejects.targets.length > 0,
  );
  return { kind: 'run', ...sent, ending, notes: await rejectsAfterSending(run, rejects) };
}

/** Shows how far a run that is already planned is sent, from what earlier commands have settled. */
export async function sendingProgress(
  run: RunFile,
  { metricsFile: file }: Pick<SendingFlags, 'metricsFile'>,
  ports: CommandPorts,
): Promise<Progress> {
  const first = { kind: 'planned', ...run.openWork(), settled: run.settledCounts() } as const;
  const labels = { resource: run.header.resource, shard: run.header.options.selection?.shard };
  const progress = withMetrics(await ports.output.progress(first), { file, labels, first }, ports);
  ports.onClose(progress.stop);
  return progress;
}

/** The result of a run that has nothing left to do. The platform is not asked. `isCopied`: whether its rejects are in a file. */
export async function finishedResult(
  run: RunFile,
  { flags, commands, folder, rejects }: Omit<ContinuingChoice, 'settings' | 'startedMs' | 'contract'>,
  isCopied = rejects.targets.length > 0,
): Promise<RunResult> {
  releaseParent(run, folder);
  const report = run.report(viewOf(run, { flags, commands }));
  const ending = finishedEnding(report, commandsAfter(run, commands));
  return {
    kind: 'run',
    run: run.header.id,
    report,
    ending: endingWithRejects(ending, copyOfRejects(run.header, commands), isCopied),
    durationMs: run.sendingMs(),
    endedBefore: true,
    notes: await rejectsAfterSending(run, rejects),
  };
}
