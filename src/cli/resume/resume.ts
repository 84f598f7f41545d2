import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { declareSending, showValuesOption } from '../command/flags.ts';
import { shownCohort } from '../output/run/cohort-result.ts';
import { shownRun } from '../output/run/run-result.ts';
import { resumed, type ResumeFlags } from './resume-runs.ts';

export const command: CommandDeclaration<ResumeFlags> = {
  description:
    'The last command again, without its words and its files: sends what has not arrived, from the run file. Without an id it takes the newest run, with the whole cohort that it belongs to.',
  examples: ['dataimport resume', 'dataimport resume 20261121-101502-transactions-4f2a'],
  settings: ['baseUrl', 'contract', 'caFile', 'concurrency', 'rateLimit', 'retryFor', 'timeout', 'runDir'],
  declare(command) {
    command
      .argument('[run]', 'id of the run (default: the newest one)')
      .optionsGroup('Output:')
      .option(
        '--rejects <file>',
        'copy the rejected rows of the run to a file, unchanged, and the reasons to a file beside it; needs the CSV files of the push',
      )
      .optionsGroup('Sending:')
      .option(
        '--skip-invalid',
        'send the valid rows even if others are invalid (default: as the last command)',
      )
      .addOption(showValuesOption());
    declareSending(command, true);
  },
  run,
};

async function run(options: ResumeFlags, context: CommandContext): Promise<CommandEnd> {
  const { globals } = context;
  const result = await resumed(options, { settings: await context.settings(), globals }, context);
  const shown = 'parts' in result ? shownCohort(result) : shownRun(result);
  return { exit: result.ending.exit, result: shown };
}
