import { Option, type Command } from 'commander';
import { readCohort } from './read-cohort.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { declareSending, flagValue, shardOption, showValuesOption } from '../command/flags.ts';
import { inList } from '../sending/listed-command.ts';
import type { BegunCommand } from '../journal/commands-log.ts';
import { shownCohort, type CohortResult } from '../output/run/cohort-result.ts';
import { cohortSettings } from './cohort-settings.ts';
import { migrateFiles, type MigrateFlags } from './migrate-files.ts';
import { duration } from '../settings/parsers.ts';
import { readText } from '../command/typed-file.ts';
import { SENDING_SETTINGS } from '../sending/push-options.ts';

export const command: CommandDeclaration<MigrateFlags> = {
  description:
    'Sends the files of a cohort file: several resources, account by account. Reads and checks every row of every file first. Accounts that are not imported yet are waited for. Run the same command again after any end: it goes on, and its report is about everything in the files.',
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
  const { io, globals, words } = context;
  const settings = await context.settings();
  const migrate = async (listed?: BegunCommand): Promise<CohortResult> => {
    const cohort = readCohort(flags.cohort, readText(flags.cohort, io.cwd));
    const ofCohort = cohortSettings(cohort, settings, io);
    return migrateFiles(flags, { cohort, settings: ofCohort, globals, words, listed }, context);
  };
  const command = { name: 'migrate', readsInput: flags.cohort === '-' };
  const result = await (flags.dryRun ? migrate() : inList(command, settings, context, migrate));
  return { exit: result.ending.exit, result: shownCohort(result) };
}
