import { Option, type Command } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { collect, type ReportFlags, type SendingFlags, type SourceFlags } from '../flags.ts';
import { ON_AMBIGUOUS } from '../push/ports/run.ts';
import type { RunFlags } from '../runs/begin.ts';
import type { SettingName } from '../settings/schema.ts';

export interface PushOptions extends SourceFlags, SendingFlags, ReportFlags, RunFlags {
  readonly dryRun?: boolean;
  /** Whether to continue the run of this command line, if an earlier command began it. */
  readonly continue?: boolean;
  /** Whether to begin although an unfinished run of the same content exists. */
  readonly new?: boolean;
  readonly skipInvalid?: boolean;
  /** Whether records that the runs of `since` have brought to the platform are left out. */
  readonly onlyNew?: boolean;
}

/** The settings of a command that reads files and sends them. */
export const SENDING_SETTINGS = [
  'baseUrl',
  'supplier',
  'contract',
  'caFile',
  'earliestDate',
  'batchSize',
  'maxBatchBytes',
  'concurrency',
  'rateLimit',
  'rateLimitTotal',
  'retryFor',
  'connectTimeout',
  'timeout',
  'runDir',
] as const satisfies readonly SettingName[];

/** Declares the flags of `push` that other commands do not have. */
export function declareRequests(command: Command): void {
  command
    .option('-n, --dry-run', 'read and check everything, say what would be sent, send nothing')
    .option(
      '--continue',
      'begin the run of this content, target, contract and shard, or continue it, or show the finished one; the same line can be typed again at any time',
    )
    .option('--new', 'begin a new run even if an unfinished run of the same content exists')
    .option(
      '--only-new',
      'send only the records that the runs of --since did not; a changed record is an error, a vanished one a warning',
    )
    .option(
      '--since <run>',
      'finished run of an earlier version of the files, for --only-new; several are one whole, such as the shards of a file',
      collect,
    )
    .option('--skip-invalid', 'send the valid rows even if others are invalid')
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
      'let the platform refuse transactions outside the open statement period',
    )
    .addOption(
      new Option(
        '--on-ambiguous <what>',
        'records that may have been applied: look for them and send them again, or end the run; only with --no-check-previously-added (default: resend)',
      ).choices(ON_AMBIGUOUS),
    );
}

/** Flags that need or exclude each other. @throws AppError `usage` */
export function assertTogether(options: PushOptions): void {
  assertAmbiguousChoice(options);
  assertContinuable(options);
  assertOnlyNew(options);
}

/** With the check on nothing is added twice, so there is nothing to choose. @throws AppError `usage` */
function assertAmbiguousChoice({ onAmbiguous, checkPreviouslyAdded }: PushOptions): void {
  if (onAmbiguous === undefined || !checkPreviouslyAdded) return;
  const reason = '--on-ambiguous needs --no-check-previously-added';
  throw new AppError('usage', { reason, command: 'push' });
}

/** @throws AppError `usage` */
function assertContinuable({ continue: continues, dryRun, new: begins }: PushOptions): void {
  if (!continues || !(dryRun || begins)) return;
  const reason = `--continue and ${begins ? '--new' : '--dry-run'} exclude each other`;
  throw new AppError('usage', { reason, command: 'push' });
}

/** @throws AppError `usage` */
function assertOnlyNew({ onlyNew = false, since, skipRecords, maxRecords }: PushOptions): void {
  const reason =
    onlyNew !== (since !== undefined)
      ? '--only-new and --since need each other'
      : onlyNew && (skipRecords !== undefined || maxRecords !== undefined)
        ? '--only-new compares whole files: leave --skip-records and --max-records out'
        : undefined;
  if (reason !== undefined) throw new AppError('usage', { reason, command: 'push' });
}
