import { Option } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { instantOfClock } from '../../core/values/instant.ts';
import type { CommandContext, CommandDeclaration } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import { planRetried } from '../push/plan.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { RETRIED, type Retried } from '../run-file/retrying.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import { declareDraining, type DrainFlags } from './drain-flags.ts';
import { finishRun } from './drain-run.ts';
import { listenForInterruption } from './interruption.ts';
import { releaseParent, takerOf, type Taker } from './retried-run.ts';
import { resumeLine, runsFolder, showLine } from './runs-folder.ts';
import { assertSameTarget } from './same-target.ts';
import { showRun } from './show-run.ts';

export interface RetryOptions extends DrainFlags {
  readonly run: string;
  /** All of them when left out. */
  readonly only?: Retried;
  /** Whether records that another run took over are taken once more. */
  readonly new?: boolean;
  readonly showValues?: boolean;
}

export const retry: CommandDeclaration<RetryOptions> = {
  name: 'retry',
  group: 'Migrate',
  summary: 'Send the refused or doubtful records of a run again',
  description:
    'Begins a new run of those records of an earlier one that were refused, of which no answer tells what became, or that have to be verified; from its run file, as they were. It helps when the cause was on the platform; a row that is wrong has to be corrected and pushed.',
  examples: [
    'dataimport retry 20261121-101502-transactions-4f2a',
    'dataimport retry 20261121-101502-transactions-4f2a --only rejected --on-reject skip',
  ],
  settings: [
    'baseUrl',
    'caFile',
    'batchSize',
    'maxBatchBytes',
    'concurrency',
    'rateLimit',
    'retryFor',
    'timeout',
    'runDir',
  ],
  declare(command) {
    command
      .argument('<run>', 'id of the run')
      .addOption(new Option('--only <outcome>', 'only the records that ended so').choices(RETRIED))
      .option('--new', 'take records once more that another run took over')
      .option('--show-values', 'messages of the platform may repeat values of cells');
    declareDraining(command);
  },
  run: retryRun,
};

async function retryRun(options: RetryOptions, context: CommandContext): Promise<ExitName> {
  const { io } = context;
  const startedMs = io.timing.monotonicMs();
  const folder = await runsFolder(context);
  const parent = folder.open(options.run);
  context.onClose(() => parent.close());
  await assertSameTarget('retry', parent.header, context);
  const { connect } = await import('../connection.ts');
  const { platform } = await connect(context, { baseUrl: parent.header.target });

  const run = await takeOver(parent, folder, options, context);
  context.onClose(() => run.close());
  const { showProgress } = await import('../render/progress.ts');
  const interruption = listenForInterruption(context);
  const progress = await showProgress(context, { kind: 'planned', ...run.openWork() });
  context.onClose(progress.stop);
  const showValues = options.showValues ?? false;
  const parts = { platform, progress, interruption, showValues, flags: options, startedMs };
  const { report, ending } = await finishRun(run, parts, context);
  const rest = parent.isOpen ? await resumeLine(parent.header, context) : null;
  parent.close();
  releaseParent(run, folder);
  const durationMs = io.timing.monotonicMs() - startedMs;
  const next = ending.resumable ? ending.next : (rest ?? ending.next);
  showRun(report, { ...ending, next, durationMs }, context);
  return ending.exit;
}

/**
 * Makes the new run. Its records are marked in the old one first: if the process dies before the new one is whole, they
 * are still there, and the same command takes them again; no moment has them in two runs that can be sent.
 */
async function takeOver(
  parent: RunFile,
  folder: RunsFolder,
  options: RetryOptions,
  context: CommandContext,
): Promise<RunFile> {
  const settings = await context.settings();
  const { header } = parent;
  if (parent.condition === 'never_staged') throw new AppError('run_never_staged', { run: header.id });
  const createdAt = instantOfClock(context.io.timing.nowMs());
  const id = folder.newId(createdAt, header.resource, header.contentSha256);
  const unborn = parent.retrying.takers().filter((taker) => takerOf(taker, folder) === undefined);
  const outcomes = options.only === undefined ? RETRIED : [options.only];
  for (const from of unborn) parent.retrying.passOn(from, id);
  const taken = parent.retrying.giveAway({ outcomes, by: id, again: options.new ?? false });
  if (taken === 0 && unborn.length === 0) throw await nothingToTake(parent, folder, outcomes, context);
  for (const from of unborn) folder.remove(from);

  const run = folder.create({
    ...header,
    id,
    createdAt,
    toolVersion: context.io.version(),
    parent: header.id,
    options: { ...header.options, onReject: options.onReject ?? header.options.onReject },
  });
  const single = header.resource === 'payment-instructions';
  const limits = {
    records: single ? 1 : settings.need('batchSize'),
    bytes: settings.need('maxBatchBytes'),
  };
  const doubtful = run.retrying.take(parent.retrying.givenTo(id));
  const staging = run.staging();
  run.index();
  planRetried(staging, limits);
  staging.commit();
  run.retrying.markInDoubt(doubtful);
  run.finishStaging(parent.mappedSources);
  return run;
}

/** Why there is no record to take: none ended so, another run took them, or their payloads are erased. */
async function nothingToTake(
  parent: RunFile,
  folder: RunsFolder,
  outcomes: readonly Retried[],
  context: CommandContext,
): Promise<AppError> {
  const run = parent.header.id;
  const { rows } = parent.report();
  if (outcomes.every((outcome) => rows[outcome] === 0))
    return new AppError('run_nothing_to_retry', { run, outcomes: outcomes.join(' or ') });
  const by = parent.retrying.takers().at(-1);
  const taker = by === undefined ? undefined : takerOf(by, folder);
  if (by === undefined || !taker) return new AppError('run_forgotten', { run });
  const { state, next, again } = await stateOf(taker, context);
  return new AppError('run_retried', { run, by, state, next, again });
}

interface TakerState {
  readonly state: string;
  /** The command to type. */
  readonly next: string;
  /** What else may be typed; empty when nothing is. */
  readonly again: string;
}

/** How it stands with the run that took records over, and what to type. Once it has ended their texts are here no more. */
async function stateOf({ header, isOpen, report }: Taker, context: CommandContext): Promise<TakerState> {
  if (isOpen) {
    const next = await resumeLine(header, context);
    return { state: 'is unfinished', next, again: '; --new takes them once more' };
  }
  const { rowsSentence } = await import('../render/push-summary.ts');
  return {
    state: `has ended with ${rowsSentence(report)}`,
    next: await showLine(header, context),
    again: '',
  };
}
