import { Option, type Command } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { instantOfClock } from '../../core/values/instant.ts';
import type { CommandContext, CommandDeclaration } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import type { SourceFile } from '../csv/source-file.ts';
import { stageRun } from '../push/stage-run.ts';
import type { RunReport } from '../push/ports/report.ts';
import { pushDocumentOf, type Ending } from '../render/push-document.ts';
import type { RunFile, RunHeader } from '../run-file/run-file.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import type { GivenConnection } from '../connection.ts';
import { finishRun } from './drain-run.ts';
import { listenForInterruption } from './interruption.ts';
import { writeReport } from './report-file.ts';
import { runsFolder } from './runs-folder.ts';
import { showRun } from './show-run.ts';
import { declareSource, type SourceOptions } from './source-flags.ts';
import { contentHash, openSources, stageJobOf } from './stage-sources.ts';

export interface PushOptions extends SourceOptions {
  readonly dryRun?: boolean;
  readonly new?: boolean;
  /** File for the JSON document, beside what is printed. */
  readonly reportJson?: string;
  readonly skipInvalid?: boolean;
  readonly checkPreviouslyAdded: boolean;
  readonly forceAddToCurrentStatement: boolean;
}

export const push: CommandDeclaration<PushOptions> = {
  name: 'push',
  group: 'Migrate',
  summary: 'Send the records of CSV files to the platform',
  description:
    'Reads and checks every row of the files, then sends them account by account. Nothing is sent while a row is\ninvalid. A run that stops, however it stops, goes on with `dataimport resume`.',
  examples: [
    'dataimport push transactions transactions.csv --base-url https://platform.example',
    'dataimport push notes notes.csv --supplier ACME --dry-run',
  ],
  settings: [
    'baseUrl',
    'supplier',
    'batchSize',
    'maxBatchBytes',
    'concurrency',
    'retryFor',
    'timeout',
    'runDir',
  ],
  declare(command) {
    declareSource(command);
    declareSending(command);
  },
  async run(options, context) {
    const { report, ending, run } = await pushFiles(options, context);
    showRun(report, ending, context, run);
    if (options.reportJson !== undefined)
      writeReport(options.reportJson, pushDocumentOf(report, ending, run), context);
    return ending.exit;
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
    );
}

/** Stage, then drain. `given` takes the place of the settings for the connection. */
export async function pushFiles(
  options: PushOptions,
  context: CommandContext,
  given: GivenConnection = {},
): Promise<PushResult> {
  const { io } = context;
  const startedMs = io.timing.nowMs();
  // A missing key is told before an hour of reading, not after it.
  const { connect } = await import('../connection.ts');
  const connection = options.dryRun ? undefined : await connect(context, given);
  const interruption = listenForInterruption(context);
  const sources = await openSources(options.file, context);
  const folder = await runsFolder(context);
  const run = await beginRun(options, sources, folder, connection?.baseUrl ?? '', context);
  const { showProgress } = await import('../render/progress.ts');
  const progress = await showProgress(context);
  context.onClose(progress.stop);

  const result = (
    ending: Omit<Ending, 'durationMs'>,
    id: string | null,
    report = run.report(),
  ): PushResult => {
    progress.stop();
    return { report, ending: { ...ending, durationMs: io.timing.nowMs() - startedMs }, run: id };
  };

  const settings = await context.settings();
  const policy = {
    limits: {
      records: options.resource === 'payment-instructions' ? 1 : settings.need('batchSize'),
      bytes: settings.need('maxBatchBytes'),
    },
    skipInvalid: options.skipInvalid ?? false,
  };
  const ports = { emit: progress.emit, interrupt: interruption.interrupt };
  const staged = await stageRun(await stageJobOf(options, sources, context), policy, run, ports);
  if (staged.kind !== 'staged' || !connection) {
    context.onClose(() => folder.remove(run.header.id));
    context.onClose(() => run.close());
    return result(endingWithoutSending(staged.kind, interruption.exit()), null);
  }
  context.onClose(() => run.close());
  const parts = {
    platform: connection.platform,
    progress,
    interruption,
    showValues: options.showValues ?? false,
  };
  const { report, ending } = await finishRun(run, parts, context);
  return result(ending, run.header.id, report);
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

async function beginRun(
  options: PushOptions,
  sources: readonly SourceFile[],
  folder: RunsFolder,
  target: string,
  context: CommandContext,
): Promise<RunFile> {
  const { io } = context;
  const contentSha256 = contentHash(sources);
  if (!options.new && !options.dryRun) refuseSecondRun(folder, { ...options, contentSha256, target });
  const createdAt = instantOfClock(io.timing.nowMs());
  const header: RunHeader = {
    id: folder.newId(createdAt, options.resource, contentSha256),
    resource: options.resource,
    target,
    options: {
      checkPreviouslyAdded: options.checkPreviouslyAdded,
      forceAddToCurrentStatement: options.forceAddToCurrentStatement,
    },
    toolVersion: io.version(),
    createdAt,
    sources: sources.map(({ name, fingerprint }) => ({ name, ...fingerprint })),
    contentSha256,
  };
  return folder.create(header);
}

/** Two runs of the same content to the same target would send it twice. @throws AppError `run_unfinished_exists` */
function refuseSecondRun(
  folder: RunsFolder,
  wanted: Pick<RunHeader, 'resource' | 'contentSha256' | 'target'>,
): void {
  for (const listed of folder.runsOf(wanted)) {
    const { id, state } = listed;
    if (listed.state === 'damaged') throw listed.error;
    if (state === 'in_use') throw new AppError('run_locked', { run: id });
    if (state === 'open') throw new AppError('run_unfinished_exists', { run: id });
    // Its process died while it read the file: nothing of it was sent.
    if (state === 'never_staged') folder.remove(id);
  }
}
