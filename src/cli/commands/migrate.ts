import { relative } from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import { readCohort, type Cohort } from '../cohort/read-cohort.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command.ts';
import { targetOf } from '../connection.ts';
import { declareSending, flagValue, shardOption, showValuesOption, type SendingFlags } from '../flags.ts';
import type { CohortResult } from '../output/cohort-result.ts';
import type { Ending } from '../output/run-document.ts';
import type { Shard } from '../push/ports/run.ts';
import { shellWord } from '../output/text.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';
import { accountQuestions } from '../runs/account-questions.ts';
import { accountNumberField, appliedContract, type AppliedContract } from '../runs/applied-contract.ts';
import { checkedCohort, UNCHECKED } from '../runs/checked-cohort.ts';
import { resourceFlags } from '../runs/cohort-files.ts';
import { cohortSettings } from '../runs/cohort-settings.ts';
import { sendCohort, type CohortSending } from '../runs/cohort-send.ts';
import { discardBegun, stageCohort, type CohortPartRun } from '../runs/cohort-stage.ts';
import { furthestFromDone } from '../runs/ending.ts';
import { reachPlatform } from '../runs/first-answer.ts';
import { listenForInterruption } from '../runs/interruption.ts';
import { assertMetricsWritable, withMetrics } from '../runs/metrics-file.ts';
import { assertLocalDisk } from '../runs/network-disk.ts';
import { nextCommands, repeating } from '../runs/next-commands.ts';
import { shardOf } from '../runs/shard.ts';
import { warnOfSharedFolder } from '../runs/shared-folder.ts';
import { sendingPlan } from '../runs/stage.ts';
import { unsentCohortEnding } from '../runs/unsent-cohort.ts';
import { duration } from '../settings/parsers.ts';
import type { Settings } from '../settings/settings.ts';
import { readText } from '../typed-file.ts';
import { SENDING_SETTINGS } from './push-options.ts';

export interface MigrateOptions extends SendingFlags {
  readonly cohort: string;
  readonly dryRun?: boolean;
  /** Whether to continue the cohort, if an earlier command began it. */
  readonly continue?: boolean;
  /** Whether to begin although unfinished runs of the same files exist. */
  readonly new?: boolean;
  readonly skipInvalid?: boolean;
  readonly shard?: Shard | 'auto';
  /** In milliseconds; the cohort file decides when left out. */
  readonly waitForAccounts?: number;
}

export const command: CommandDeclaration<MigrateOptions> = {
  description:
    'Sends the files of a cohort file: several resources, account by account. Reads and checks every row of every file first. Accounts that are not imported yet are waited for. With --continue the same line can be typed again at any time.',
  examples: [
    'dataimport migrate cohort.yaml --dry-run',
    'dataimport migrate cohort.yaml --continue --wait-for-accounts 4h',
    'dataimport migrate cohort.yaml --continue --shard auto',
  ],
  settings: SENDING_SETTINGS,
  declare,
  run,
};

function declare(command: Command): void {
  command
    .argument('<cohort>', 'cohort file: which files are sent, in which order, after which checks')
    .option('-n, --dry-run', 'read and check everything, say what would be sent, send nothing')
    .option(
      '--continue',
      'begin the cohort, or continue it, or show the finished one; the same line can be typed again at any time',
    )
    .option('--new', 'begin new runs even if unfinished runs of the same files exist')
    .option('--skip-invalid', 'send the valid rows even if others are invalid')
    .option(
      '--wait-for-accounts <duration>',
      'how long accounts that are not imported yet are waited for (default: as the cohort file says, else not at all)',
      flagValue(duration),
    )
    .addOption(shardOption());
  declareSending(command);
  command.addOption(showValuesOption());
}

async function run(options: MigrateOptions, context: CommandContext): Promise<CommandEnd> {
  assertContinuable(options);
  const { io } = context;
  assertMetricsWritable(options.metricsFile, io.cwd);
  const cohort = readCohort(options.cohort, readText(options.cohort, io.cwd));
  const settings = cohortSettings(cohort, await context.settings(), io);
  const result = await migrated(options, { cohort, settings }, context);
  return { exit: result.ending.exit, result };
}

/** @throws AppError `usage` */
function assertContinuable({ continue: continues, dryRun, new: begins }: MigrateOptions): void {
  if (!continues || !(dryRun || begins)) return;
  const reason = `--continue and ${begins ? '--new' : '--dry-run'} exclude each other`;
  throw new AppError('usage', { reason, command: 'migrate' });
}

async function migrated(
  options: MigrateOptions,
  { cohort, settings }: { readonly cohort: Cohort; readonly settings: Settings },
  context: CommandContext,
): Promise<CohortResult> {
  const { io, log, output, onClose, globals, words } = context;
  const startedMs = io.timing.monotonicMs();
  const interruption = listenForInterruption(context);
  const contract = await appliedContract(settings, io.cwd);
  const resources = resourceFlags(cohort, io.cwd);
  const target = options.dryRun ? undefined : targetOf(settings, io);
  const reached = target && (await reachPlatform(target, settings, context, interruption));
  const folder = new RunsFolder(settings.need('runDir'));
  if (target) {
    assertLocalDisk(folder, options.allowNetworkDisk, io);
    warnOfSharedFolder(folder, context);
  }
  const line = options.continue ? words : [...words, '--continue'];
  const shard = shardOf(options.shard, io.env);
  const commands = repeating(line, nextCommands(settings, globals, io.cwd), shard);
  const labels = { resource: 'all', shard } as const;
  const progress = withMetrics(await output.progress(), { file: options.metricsFile, labels }, context);
  onClose(progress.stop);
  const parts = await stageCohort(
    {
      cohort,
      resources,
      settings,
      contract,
      commands,
      folder,
      target: target?.baseUrl,
      options: {
        onReject: options.onReject ?? cohort.document.on_reject ?? 'stop',
        ...(options.shard && { shard: options.shard }),
        skipInvalid: options.skipInvalid ?? false,
        continues: options.continue ?? false,
        begins: options.new ?? false,
      },
    },
    context,
    { emit: progress.emit, interruption },
  );
  const runs = parts.map(({ run }) => run);
  const isSent = runs.some((run) => run.report().requests.total > 0);
  const isStaged = parts.every(({ staged }) => staged.kind === 'staged');
  // Files of which nothing was sent may have been corrected since the rest of the cohort was sent.
  const isNew = !isSent || parts.some(({ kind }) => kind === 'begun');
  const checks =
    isStaged && isNew
      ? await checkedCohort(cohort, runs, context, options.showValues ?? false).catch((error: unknown) => {
          if (target) discardBegun(parts, folder);
          throw error;
        })
      : UNCHECKED;
  const durationMs = (): number => io.timing.monotonicMs() - startedMs;
  if (!reached || !isStaged || checks.errorsTotal > 0) {
    progress.stop();
    const ending = unsentCohortEnding(parts, checks.errorsTotal > 0, { interruption, folder, isSent });
    const result: CohortResult = {
      kind: 'cohort',
      name: cohort.name,
      parts: runs.map((run) => ({
        run: null,
        report: run.report(),
        ending,
        durationMs: 0,
        ...(ending.exit === 'OK' && { plan: sendingPlan(run, settings) }),
      })),
      checks,
      accounts: null,
      unsent: [],
      ending,
      durationMs: durationMs(),
      endedBefore: false,
    };
    // Runs that have sent nothing are not to be continued.
    if (target) discardBegun(isSent ? parts : parts.map(({ run }) => ({ run, kind: 'begun' })), folder);
    return result;
  }
  for (const { run, kind } of parts) {
    if (kind !== 'unfinished') continue;
    run.rememberOnReject(options.onReject ?? run.header.options.onReject);
    run.reopen(preciseInstantOfClock(io.timing.nowMs()));
  }
  progress.emit(planned(parts));
  const sending: CohortSending = {
    flags: options,
    settings,
    commands,
    contract,
    startedMs,
    pausedUntilMs: reached.pausedUntilMs,
    questions: questionsTo(reached.platform, target.baseUrl, { settings, contract }),
    waitMs: options.waitForAccounts ?? waitOf(cohort),
    continueAfterFailure: cohort.document.after_failure === 'continue',
    folder,
  };
  const ports = { platform: reached.platform, progress, interruption, timing: io.timing, log };
  const sent = await sendCohort(runs, sending, ports);
  return {
    kind: 'cohort',
    name: cohort.name,
    parts: sent.parts.map((part, index) => ({ ...part, durationMs: runs[index]!.sendingMs() })),
    checks,
    accounts: sent.accounts,
    unsent: sent.unsent,
    ending: cohortEnding(
      sent.parts.map(({ ending }) => ending),
      { line: commands.resume(runs[0]!.header), folder: relative(io.cwd, folder.path) || '.' },
    ),
    durationMs: durationMs(),
    endedBefore: parts.every(({ kind }) => kind === 'finished'),
  };
}

/**
 * The exit of the resource that is furthest from done. The line of the cohort continues all of them. When none can be continued and
 * several have a next step, the report has the steps of all.
 */
function cohortEnding(
  endings: readonly Ending[],
  { line, folder }: { readonly line: string; readonly folder: string },
): Ending {
  const { exit, next } = furthestFromDone(endings);
  const resumable = endings.some((ending) => ending.resumable);
  const steps = endings.filter((ending) => ending.next !== null);
  const others = steps.length > 1 ? `dataimport report ${shellWord(folder)}` : next;
  return { exit, resumable, next: resumable ? line : others };
}

/** The work of all runs together. */
function planned(parts: readonly CohortPartRun[]) {
  const works = parts.map(({ run }) => run.openWork());
  const settled = { created: 0, existing: 0, verify: 0, rejected: 0 };
  for (const { run } of parts)
    for (const [outcome, count] of Object.entries(run.settledCounts()))
      settled[outcome as 'created'] += count;
  return {
    kind: 'planned',
    records: works.reduce((all, { records }) => all + records, 0),
    batches: works.reduce((all, { batches }) => all + batches, 0),
    accounts: works.reduce((all, { accounts }) => all + accounts, 0),
    settled,
  } as const;
}

function waitOf({ document }: Cohort): number {
  const parsed = duration(document.wait_for_accounts ?? '');
  return 'value' in parsed ? parsed.value : 0;
}

function questionsTo(
  platform: CohortSendingPlatform,
  baseUrl: string,
  { settings, contract }: { readonly settings: Settings; readonly contract: AppliedContract | undefined },
) {
  const lists = accountNumberField('account-import-processes', settings, contract);
  const status = accountNumberField('account-transfer-status', settings, contract);
  return accountQuestions(
    { platform, baseUrl, accountNumberField: lists },
    { platform, baseUrl, accountNumberField: status },
  );
}

type CohortSendingPlatform = Parameters<typeof accountQuestions>[0]['platform'];
