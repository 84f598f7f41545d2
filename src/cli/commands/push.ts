import { Option, type Command } from 'commander';
import type { CommandContext, CommandDeclaration } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import { failureOf, failureText } from '../failure.ts';
import { AppError } from '../../core/app-error.ts';
import { ON_AMBIGUOUS } from '../push/ports/run.ts';
import { stageRun } from '../push/stage.ts';
import type { RunReport } from '../push/ports/report.ts';
import { pushDocumentOf, type Ending } from '../render/push-document.ts';
import { shellWord } from '../render/text.ts';
import type { GivenConnection } from '../connection.ts';
import { beginRun, type BegunRun } from './begin-run.ts';
import { declareDraining, type DrainFlags } from './drain-flags.ts';
import { finishRun } from './drain-run.ts';
import { tellGitHub } from './github-actions.ts';
import { listenForInterruption } from './interruption.ts';
import { rejectsNotes, rejectsNotesAfterSending, targetsOfRejects } from './rejects-notes.ts';
import { assertReportWritable, writeReport } from './report-file.ts';
import { runsFolder, showLine } from './runs-folder.ts';
import { sendingPlan } from './sending-plan.ts';
import { showRun } from './show-run.ts';
import { declareSource, type SourceOptions } from './source-flags.ts';
import { openSources, rejectedSources, stageJobOf } from './stage-sources.ts';

export interface PushOptions extends SourceOptions, BegunRun, DrainFlags {
  /** File for the JSON document, beside what is printed. */
  readonly reportJson?: string;
  readonly skipInvalid?: boolean;
}

export const push: CommandDeclaration<PushOptions> = {
  name: 'push',
  group: 'Migrate',
  summary: 'Send the records of CSV files to the platform',
  description:
    'Reads and checks every row of the files, then sends them account by account. Nothing is sent while a row is invalid. A run that stops, however it stops, goes on with `dataimport resume`.',
  examples: [
    'dataimport push transactions transactions.csv --base-url https://platform.example',
    'dataimport push notes notes.csv --supplier ACME --dry-run',
  ],
  settings: [
    'baseUrl',
    'supplier',
    'caFile',
    'earliestDate',
    'batchSize',
    'maxBatchBytes',
    'concurrency',
    'rateLimit',
    'retryFor',
    'timeout',
    'runDir',
  ],
  declare(command) {
    declareSource(command);
    declareSending(command);
    declareDraining(command);
  },
  async run(options, context) {
    assertAmbiguousChoice(options);
    if (options.reportJson !== undefined) assertReportWritable(options.reportJson, context);
    const result = await pushFiles(options, context);
    const unwritten = await reportOf(result, options.reportJson, context);
    // A result that is not what was asked for is no success; any other end says more than this.
    const exit = unwritten && result.ending.exit === 'OK' ? 'USAGE' : result.ending.exit;
    showRun(result.report, { ...result.ending, exit }, context, result.run);
    tellGitHub(result.report, context);
    if (unwritten) context.io.stderr.write(failureText(failureOf(unwritten)));
    return exit;
  },
};

/** What a push has come to. */
export interface PushResult {
  readonly report: RunReport;
  readonly ending: Ending;
  /** Id of the run; null when nothing was kept. */
  readonly run: string | null;
}

function declareSending(command: Command): void {
  command
    .option('-n, --dry-run', 'read and check everything, say what would be sent, send nothing')
    .option('--new', 'begin a new run although an unfinished one of the same content exists')
    .option('--report-json <file>', 'write the document of --json to a file, too')
    .option('--skip-invalid', 'send the valid rows although others are invalid')
    .addOption(
      new Option('--check-previously-added', 'let the platform skip transactions it has').default(true),
    )
    .option('--no-check-previously-added', 'add transactions even if the platform has them')
    .addOption(
      new Option(
        '--force-add-to-current-statement',
        'let the platform move transactions into the open statement period',
      ).default(true),
    )
    .option(
      '--no-force-add-to-current-statement',
      'have transactions outside the open statement period refused',
    )
    .addOption(
      new Option(
        '--on-ambiguous <what>',
        'with --no-check-previously-added: send again what may have been applied (and look for it), or end the run (default: resend)',
      ).choices(ON_AMBIGUOUS),
    );
}

/** With the check on nothing is added twice, so there is nothing to choose. @throws AppError `usage` */
function assertAmbiguousChoice({ onAmbiguous, checkPreviouslyAdded }: PushOptions): void {
  if (onAmbiguous === undefined || !checkPreviouslyAdded) return;
  const reason = '--on-ambiguous goes with --no-check-previously-added only';
  throw new AppError('usage', { reason, command: 'push' });
}

/** Writes the document of a push to a file, if one was asked for; gives what hindered it. */
async function reportOf(
  { report, ending, run }: PushResult,
  file: string | undefined,
  context: CommandContext,
): Promise<AppError | undefined> {
  if (file === undefined) return undefined;
  const show = run === null ? null : await showLine({ id: run }, context);
  const again = show === null ? 'the same command again' : `\`${show} --json > ${shellWord(file)}\``;
  return writeReport(file, pushDocumentOf(report, ending, run), { again, io: context.io });
}

/** Stage, then drain. `given` takes the place of the settings for the connection. */
export async function pushFiles(
  options: PushOptions,
  context: CommandContext,
  given: GivenConnection = {},
): Promise<PushResult> {
  const { io } = context;
  const startedMs = io.timing.monotonicMs();
  // A missing key is told before an hour of reading, not after it.
  const { connect } = await import('../connection.ts');
  const connection = options.dryRun ? undefined : await connect(context, given);
  const interruption = listenForInterruption(context);
  const targets = targetsOfRejects(options, context);
  const sources = await openSources(options.file, context);
  const job = await stageJobOf(options, sources, context);
  const rejects = rejectedSources(sources, job);
  const folder = await runsFolder(context);
  const target = connection?.baseUrl ?? '';
  const run = await beginRun(options, { sources: rejects, inputs: job.inputs, folder, target }, context);
  const { showProgress } = await import('../render/progress.ts');
  const progress = await showProgress(context);
  context.onClose(progress.stop);

  const result = (
    ending: Omit<Ending, 'durationMs'>,
    id: string | null,
    report = run.report(),
  ): PushResult => {
    progress.stop();
    return { report, ending: { ...ending, durationMs: io.timing.monotonicMs() - startedMs }, run: id };
  };

  const settings = await context.settings();
  const policy = {
    limits: {
      records: options.resource === 'payment-instructions' ? 1 : settings.need('batchSize'),
      bytes: settings.need('maxBatchBytes'),
    },
    skipInvalid: options.skipInvalid ?? false,
  };
  const ports = { emit: progress.emit, stopping: interruption.interrupt };
  const staged = await stageRun(job, policy, run, ports).catch((error: unknown) => {
    // Half a run is of no use, holds customer data, and may be what has filled the disk.
    run.close();
    folder.remove(run.header.id);
    if (!(error instanceof AppError) || error.code !== 'run_write_failed') throw error;
    throw new AppError('run_not_writable', { folder: folder.path, reason: error.facts['reason']! }, error);
  });
  if (staged.kind !== 'staged' || !connection) {
    context.onClose(() => folder.remove(run.header.id));
    context.onClose(() => run.close());
    const ending = endingWithoutSending(staged.kind, interruption.exit());
    const plan = staged.kind === 'staged' ? { plan: await sendingPlan(run, context) } : {};
    const notes = await rejectsNotes(staged, { run, sources: rejects, targets });
    return result({ ...ending, ...plan, notes }, null);
  }
  context.onClose(() => run.close());
  const parts = {
    platform: connection.platform,
    progress,
    interruption,
    showValues: options.showValues ?? false,
    flags: options,
    startedMs,
  };
  const { report, ending } = await finishRun(run, parts, context);
  const notes = await rejectsNotesAfterSending({ run, sources: rejects, targets });
  return result({ ...ending, notes: [...(ending.notes ?? []), ...notes] }, run.header.id, report);
}

function endingWithoutSending(
  kind: 'staged' | 'invalid' | 'interrupted',
  interrupted: ExitName,
): Omit<Ending, 'durationMs'> {
  if (kind === 'interrupted')
    return { exit: interrupted, resumable: false, next: 'type the same command again: nothing was sent' };
  if (kind === 'staged')
    return { exit: 'OK', resumable: false, next: 'the same command without --dry-run sends these rows' };
  return {
    exit: 'INPUT_INVALID',
    resumable: false,
    next: 'nothing was sent: correct the file and type the same command again',
  };
}
