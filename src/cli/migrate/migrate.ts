import { Option, type Command } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { importProcesses, transferStatus } from '../client/account-queries.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import {
  declareSending,
  flagValue,
  shardOption,
  showValuesOption,
  type SendingFlags,
} from '../command/flags.ts';
import { readText } from '../command/typed-file.ts';
import { furthestFromDone } from '../ending/ending.ts';
import type { BegunCommand } from '../journal/commands-log.ts';
import { shownCohort, type CohortResult } from '../output/run/cohort-result.ts';
import type { RunCohort, Shard } from '../push/ports/run.ts';
import type { AccountQuestions } from '../push/send/account-watch.ts';
import { inList } from '../sending/listed-command.ts';
import { SENDING_SETTINGS } from '../sending/push-options.ts';
import { sendFiles } from '../sending/send-files.ts';
import { openSending, type Sending } from '../sending/sending.ts';
import { duration } from '../settings/parsers.ts';
import type { Settings } from '../settings/settings.ts';
import { accountNumberField, existingStatuses } from '../sources/applied-contract.ts';
import { assertFilesThere } from '../sources/sources.ts';
import { checkedCohort } from './checked-cohort.ts';
import { cohortSettings, resourceFlags } from './cohort-files.ts';
import { readCohort, type Cohort } from './read-cohort.ts';

interface MigrateFlags extends SendingFlags {
  readonly cohort: string;
  readonly dryRun?: boolean;
  readonly shard?: Shard | 'auto';
  /** In milliseconds; the cohort file decides when left out. */
  readonly waitForAccounts?: number;
}

export const command: CommandDeclaration<MigrateFlags> = {
  description:
    'Sends the files of a cohort file: several resources, account by account. Reads and checks every row of every file first. With --wait-for-accounts it waits for accounts that are not imported yet. Run the same command again after any end: it goes on, and its report is about everything in the files.',
  examples: [
    'dataimport migrate cohort.yaml --dry-run',
    'dataimport migrate cohort.yaml --wait-for-accounts 4h',
  ],
  settings: SENDING_SETTINGS,
  declare,
  run,
};

function declare(command: Command): void {
  command
    .argument('<cohort>', 'cohort file: which files are sent, in which order, after which checks')
    .optionsGroup('Sending:')
    .option('-n, --dry-run', 'read and check everything, say what would be sent, send nothing')
    .option('--skip-invalid', 'send the valid rows even if others are invalid')
    .addOption(
      new Option(
        '--wait-for-accounts <duration>',
        'how long accounts that are not imported yet are waited for',
      )
        .argParser(flagValue(duration))
        .default(undefined, 'as the cohort file says, else not at all'),
    )
    .addOption(shardOption());
  declareSending(command);
  command.addOption(showValuesOption());
}

async function run(flags: MigrateFlags, context: CommandContext): Promise<CommandEnd> {
  const settings = await context.settings();
  const migrate = (listed?: BegunCommand) => migrateFiles(flags, { settings, listed }, context);
  const command = { name: 'migrate', readsInput: flags.cohort === '-' };
  const result = await (flags.dryRun ? migrate() : inList(command, settings, context, migrate));
  return { exit: result.ending.exit, result: shownCohort(result) };
}

/** Sends what has not arrived of the files of a cohort, as `pushFiles` does of one resource. */
async function migrateFiles(
  typed: MigrateFlags,
  { settings, listed }: { settings: Settings; listed: BegunCommand | undefined },
  context: CommandContext,
): Promise<CohortResult> {
  const { io, globals, words } = context;
  const cohort = readCohort(typed.cohort, readText(typed.cohort, io.cwd));
  const { on_reject: onReject } = cohort.document;
  const flags = { ...typed, ...(onReject && !typed.onReject && { onReject }) };
  const resources = resourceFlags(cohort, io.cwd);
  for (const of of resources) await assertFilesThere(of, io.cwd);
  const choice = { settings: cohortSettings(cohort, settings, io), globals, words, listed };
  const named = resources.map(({ resource }) => resource);
  const sending = await openSending(flags, { ...choice, resources: named }, context);
  const { shard, again, commands } = sending;
  const files = resources.map((of, index) => ({
    flags: { ...of, ...(shard && { shard }) },
    cohort: placeIn(cohort, flags, index),
  }));
  const { parts, runs, ...sent } = await sendFiles(sending, files, {
    check: (read) => checkedCohort(cohort, read, context, flags.showValues ?? false),
    questions: questionsOf,
  });
  const endings = runs.map(({ ending }) => ending);
  const { exit, next } = furthestFromDone(endings);
  const resumable = endings.some((ending) => ending.resumable);
  const steps = new Set(endings.flatMap((ending) => ending.next ?? []));
  // Verify names the steps that only a person can take, of all resources.
  const isForPerson = steps.size > 1 || parts.some(({ run }) => commands.unresolved(run.header) === next);
  const step = steps.has(again) ? again : isForPerson ? commands.verify(cohort.file) : next;
  return { ...sent, name: cohort.name, parts: runs, ending: { exit, resumable, next: step } };
}

function placeIn(cohort: Cohort, { waitForAccounts }: MigrateFlags, index: number): RunCohort {
  const { after_failure, wait_for_accounts } = cohort.document;
  const wait = duration(wait_for_accounts ?? '');
  return {
    name: cohort.name,
    file: cohort.file,
    place: index + 1,
    continuesAfterFailure: after_failure === 'continue',
    waitMs: waitForAccounts ?? ('value' in wait ? wait.value : 0),
  };
}

/** Asks the platform about accounts, by its lists and by the status of single accounts. */
function questionsOf({ reached, baseUrl, settings, contract }: Sending): AccountQuestions {
  const targetOf = (answer: Parameters<typeof accountNumberField>[0]) => ({
    platform: reached!.platform,
    baseUrl,
    accountNumberField: accountNumberField(answer, settings, contract),
  });
  const existing = existingStatuses(settings, contract);
  return {
    list: (supplier) =>
      importProcesses(targetOf('account-import-processes'), supplier, 'all').then(
        (accounts) =>
          new Map(accounts.map(({ external_account_number: number, isImported }) => [number, isImported])),
        // A supplier without accounts may be answered so (interface.md 4.7).
        (error: unknown) =>
          codeOf(error) === 'not_found' ? new Map<string, boolean>() : unlessPassing(error),
      ),
    status: ({ import_supplier: supplier, external_account_number: number }) =>
      transferStatus(targetOf('account-transfer-status'), supplier, number).then(
        // A deployment may have another status for an account that exists.
        ({ status }) => (existing.includes(status) ? 'COMPLETED' : status),
        (error: unknown) =>
          codeOf(error) === 'import_process_does_not_exist' ? 'missing' : unlessPassing(error),
      ),
  };
}

/**
 * A failure that may pass is no answer. Any other ends the watch. A refused token may pass: after the third in a row it has another code
 * (ports/platform.ts).
 */
function unlessPassing(error: unknown): undefined {
  if (['connection_failed', 'authentication_failed'].includes(codeOf(error) ?? '')) return undefined;
  throw error;
}

const codeOf = (error: unknown): string | undefined => (error instanceof AppError ? error.code : undefined);
