import type { CommandContext, CommandDeclaration, CommandEnd } from '../command.ts';
import type { CommandPorts } from '../command-ports.ts';
import { targetOf, type Target } from '../connection.ts';
import { declareReports, declareSending, declareSources } from '../flags.ts';
import type { RunResult } from '../output/run-document.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';
import { appliedContract } from '../runs/applied-contract.ts';
import { newRunHeader, runOfFiles, scratchRun } from '../runs/begin.ts';
import { continueRun, finishedResult } from '../runs/continue.ts';
import { warnOfSmallDisk } from '../runs/disk-room.ts';
import { reachPlatform } from '../runs/first-answer.ts';
import { listenForInterruption } from '../runs/interruption.ts';
import { assertMetricsWritable, withMetrics } from '../runs/metrics-file.ts';
import { assertLocalDisk } from '../runs/network-disk.ts';
import {
  copyOfRejects,
  endingWithRejects,
  nextCommands,
  repeating,
  type NextCommands,
} from '../runs/next-commands.ts';
import {
  laterTargets,
  leftOutTargets,
  rejectsAfterReading,
  rejectsAfterSending,
  rejectsTargets,
  writeLeftOut,
} from '../runs/rejects.ts';
import { BESIDE_OTHERS, haveOthersBegun } from '../runs/other-shards.ts';
import { assertReportWritable, writeReport } from '../runs/report-file.ts';
import { pushReports, writtenReports, type WorkedRun } from '../runs/push-reports.ts';
import { sendRun, viewOf } from '../runs/send.ts';
import { warnOfSharedFolder } from '../runs/shared-folder.ts';
import { openSince } from '../runs/since.ts';
import { openSources } from '../runs/sources.ts';
import { batchLimits, sendingPlan, stageForSending, unsentEnding } from '../runs/stage.ts';
import type { Settings } from '../settings/settings.ts';
import { assertTogether, declareRequests, SENDING_SETTINGS, type PushOptions } from './push-options.ts';

export const command: CommandDeclaration<PushOptions> = {
  description:
    'Reads and checks every row of the files, then sends them account by account. Sends nothing while a row is invalid. `dataimport resume` continues a run that stopped, for whatever reason.',
  examples: [
    'dataimport push transactions transactions.csv --base-url https://platform.example',
    'dataimport push notes notes.csv --supplier ACME --dry-run',
    'dataimport push --continue transactions transactions.csv --shard 2/4',
    'dataimport push transactions june-v2.csv --only-new --since 20261121-101502-transactions-4f2a',
  ],
  settings: SENDING_SETTINGS,
  declare(command) {
    declareSources(command);
    declareRequests(command);
    declareReports(command);
    declareSending(command);
  },
  run,
};

async function run(options: PushOptions, context: CommandContext): Promise<CommandEnd> {
  assertTogether(options);
  const { reportJson: file, dryRun = false } = options;
  const { io, globals } = context;
  if (file !== undefined) assertReportWritable(file, io.cwd);
  assertMetricsWritable(options.metricsFile, io.cwd);
  const settings = await context.settings();
  const known = nextCommands(settings, globals, io.cwd);
  const commands = options.continue ? repeating(context.words, known) : known;
  const target = dryRun ? undefined : targetOf(settings, io);
  const forms = pushReports(options, io.cwd);
  let worked: WorkedRun | undefined;
  const onRun = (run: RunFile, folder: RunsFolder): void => void (worked = { run, folder });
  const pushed = await pushFiles(options, { settings, commands, target, onRun }, context);
  const notes =
    worked && forms.size > 0 ? await writtenReports(worked, pushed, { settings, forms, context }) : [];
  const result = { ...pushed, notes: [...(pushed.notes ?? []), ...notes], isOfFiles: true };
  const { exit } = result.ending;
  const reportFailure = file === undefined ? undefined : writeReport(file, result, { cwd: io.cwd, commands });
  if (!reportFailure || exit !== 'OK') return { exit, result: { ...result, reportFailure } };
  // A missing report is no success. Any other exit says more than this one.
  const ending = { ...result.ending, exit: 'USAGE' } as const;
  return { exit: 'USAGE', result: { ...result, ending, reportFailure } };
}

/** Next steps of a push that sent nothing. */
const NEXT_STEPS = {
  staged: 'the same command without --dry-run sends these rows',
  invalid: 'nothing was sent: correct the file and type the same command again',
  interrupted: 'nothing was sent: type the same command again',
};

/** What a push goes by, beside its options. */
interface PushSettings {
  readonly settings: Settings;
  readonly commands: NextCommands;
  /** Undefined when nothing is to be sent. */
  readonly target: Target | undefined;
  /** Gets the run before it is sent. The run is open until the command ends. */
  readonly onRun?: (run: RunFile, folder: RunsFolder) => void;
}

/** Reads, maps, checks and stages the files, then sends the run. With `--continue` only what is left of them. */
export async function pushFiles(
  options: PushOptions,
  { settings, commands, target, onRun }: PushSettings,
  ports: CommandPorts,
): Promise<RunResult> {
  const { io, log, output, onClose } = ports;
  const { timing } = io;
  const startedMs = timing.monotonicMs();
  const interruption = listenForInterruption(ports);
  const { targets, exists: rejectsExist } = laterTargets(() =>
    rejectsTargets(options.rejects, options.file, io.cwd),
  );
  const { targets: leftOut, exists: leftOutExist } = laterTargets(() =>
    leftOutTargets(options.leftOut, options.file, io.cwd),
  );
  const exists = rejectsExist ?? leftOutExist;
  if (exists && !options.continue) throw exists;
  const contract = await appliedContract(settings, io.cwd);
  // Before the files are read: a wrong address or key is reported at once and not after an hour.
  const reached = target && (await reachPlatform(target, settings, ports, interruption));
  const sources = await openSources(options, settings, ports, contract);
  const whenDone = options.continue ?? false;
  const rejects = { files: sources.files, targets, whenDone };
  const folder = new RunsFolder(settings.need('runDir'));
  if (target) {
    assertLocalDisk(folder, options.allowNetworkDisk, io);
    warnOfSharedFolder(folder, ports);
    if (!options.continue) warnOfSmallDisk(folder, sources, ports);
  }
  const supplier = settings.get('supplier');
  const header = newRunHeader(options, sources, { target: target?.baseUrl ?? '', supplier, io });
  const { kind, run } = target
    ? runOfFiles(header, folder, {
        continues: options.continue ?? false,
        evenIfUnfinished: options.new ?? false,
        commands,
      })
    : ({ kind: 'begun', run: scratchRun(header, folder) } as const);
  onRun?.(run, folder);
  // A finished run needs no file, and the command that began an unfinished one has written the rows that are left out.
  const blocking =
    kind === 'finished' ? undefined : (rejectsExist ?? (kind === 'begun' ? leftOutExist : undefined));
  if (blocking) {
    run.close();
    // Nothing was read yet.
    if (kind === 'begun') folder.remove(run.header.id);
    throw blocking;
  }
  if (kind !== 'begun' && reached) {
    onClose(() => run.close());
    const view = viewOf(run, { flags: options, commands });
    const choice = {
      flags: options,
      settings,
      commands,
      folder,
      startedMs,
      contract,
      rejects: { ...rejects, view },
    };
    const result =
      kind === 'finished'
        ? await finishedResult(run, choice, options.rejects !== undefined)
        : await continueRun(run, choice, ports, { reach: async () => reached, interruption });
    const kept = [
      ...(rejectsExist ? [`rejects: ${rejectsExist.message}, so none were written`] : []),
      ...(leftOutExist ? [`left out: ${leftOutExist.message}, so none were written`] : []),
    ];
    const leftOutNotes = await writeLeftOut(run, sources.files, leftOut);
    return { ...result, notes: [...(result.notes ?? []), ...leftOutNotes, ...kept] };
  }
  const labels = { resource: options.resource, shard: sources.shard };
  const progress = withMetrics(await output.progress(), { file: options.metricsFile, labels }, ports);
  onClose(progress.stop);

  const since = openSince(run, folder);
  const policy = {
    limits: batchLimits(options.resource, settings, contract),
    skipInvalid: options.skipInvalid ?? false,
    since: since?.records,
  };
  const staged = await stageForSending(sources.job, policy, run, { folder, progress, interruption });
  since?.close();
  // After an interruption the same line of --continue must find no file of rows that were not all read.
  const isPartial = staged.kind === 'interrupted' && whenDone;
  const leftOutNotes = isPartial ? [] : await writeLeftOut(run, sources.files, leftOut);
  if (staged.kind !== 'staged' || !reached) {
    onClose(() => folder.remove(run.header.id));
    onClose(() => run.close());
    progress.stop();
    return {
      kind: 'run',
      run: null,
      report: run.report(),
      ending: unsentEnding(
        staged,
        interruption,
        staged.kind === 'invalid' && haveOthersBegun(run.header, folder)
          ? { ...NEXT_STEPS, invalid: BESIDE_OTHERS.invalid }
          : NEXT_STEPS,
      ),
      ...(staged.kind === 'staged' && { plan: sendingPlan(run, settings) }),
      notes: [...leftOutNotes, ...(await rejectsAfterReading(run, staged, rejects))],
      durationMs: timing.monotonicMs() - startedMs,
    };
  }
  onClose(() => run.close());
  const sent = await sendRun(
    run,
    {
      flags: options,
      settings,
      commands,
      startedMs,
      contract,
      pausedUntilMs: reached.pausedUntilMs,
    },
    { platform: reached.platform, progress, interruption, timing, log },
  );
  const view = viewOf(run, { flags: options, commands });
  const isCopied = rejects.targets.length > 0;
  const ending = endingWithRejects(sent.ending, copyOfRejects(run.header, commands), isCopied);
  const rejectNotes = await rejectsAfterSending(run, { ...rejects, view });
  return { kind: 'run', ...sent, ending, notes: [...leftOutNotes, ...rejectNotes] };
}
