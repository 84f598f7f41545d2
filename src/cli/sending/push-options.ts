import { Option, type Command } from 'commander';
import type { SettingName } from '../settings/schema.ts';

/** The settings of a command that reads files and sends them. */
export const SENDING_SETTINGS = [
  'baseUrl',
  'supplier',
  'contract',
  'caFile',
  'batchSize',
  'concurrency',
  'rateLimit',
  'retryFor',
  'timeout',
  'runDir',
] as const satisfies readonly SettingName[];

/** Declares the flags of `push` that other commands do not have. */
export function declareRequests(command: Command): void {
  command
    .optionsGroup('Sending:')
    .option('-n, --dry-run', 'read and check everything, say what would be sent, send nothing')
    .option('--skip-invalid', 'send the valid rows even if others are invalid')
    .addOption(isDefault('--check-previously-added'))
    .option('--no-check-previously-added', 'add transactions even if the platform has them')
    .addOption(isDefault('--force-add-to-current-statement'))
    .option(
      '--no-force-add-to-current-statement',
      'let the platform refuse transactions outside the open statement period, instead of moving them into it',
    );
}

/** The default of a `--no-…`, which a variable of the environment may have changed. Help lists the other one alone. */
function isDefault(flag: string): Option {
  return new Option(flag).default(true).hideHelp();
}
