import { AppError } from '../../core/app-error.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { runArgument } from '../command/flags.ts';
import { shownConfirmedRows } from './confirmed-rows-result.ts';
import { History } from '../run-file/history/history.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';
import { PLACEHOLDER } from './unresolved-file.ts';
import { confirmRows, rowsToConfirm } from './confirmed-rows.ts';
import { nextCommands } from '../ending/next-commands.ts';
import { openedRun } from '../ending/opened-run.ts';

export interface RunsConfirmOptions {
  readonly run: string;
  readonly rows?: string;
  readonly arrived?: boolean;
  readonly missing?: boolean;
  readonly by: string;
}

export const command: CommandDeclaration<RunsConfirmOptions> = {
  description:
    'Records that you have compared rows with the platform. Rows that arrived count as arrived, and the next command sends missing rows again. The name and the time are sealed in the chain of the run.',
  examples: [
    'dataimport runs confirm 20261121-101502-statements-4f2a --arrived --by "A. Lead"',
    'dataimport runs confirm 20261121-101502-statements-4f2a --rows missing.csv --missing --by "A. Lead"',
  ],
  settings: ['runDir'],
  declare: (command) =>
    void command
      .addArgument(runArgument())
      .option(
        '--rows <file>',
        'only these rows, from the list of `runs show --unresolved --csv` (default: all rows to verify)',
      )
      .option('--arrived', 'the platform has the records as the file has them')
      .option('--missing', 'the platform does not have the records')
      .requiredOption('--by <name>', 'who has compared them'),
  run,
};

async function run(options: RunsConfirmOptions, context: CommandContext): Promise<CommandEnd> {
  const { arrived = false, missing = false, by } = options;
  if (arrived === missing)
    throw new AppError('usage', { reason: 'give --arrived or --missing', command: 'runs confirm' });
  if (['', PLACEHOLDER].includes(by.trim()))
    throw new AppError('usage', {
      reason: '--by needs a name: who has compared the rows',
      command: 'runs confirm',
    });
  const { io, globals, onClose } = context;
  const settings = await context.settings();
  const folder = new RunsFolder(settings.need('runDir'));
  const history = History.openKnown(folder);
  onClose(() => history.close());
  const found = openedRun(folder, options.run, context);
  history.assertCurrent(found);
  const now = preciseInstantOfClock(io.timing.nowMs());
  const verdict = arrived ? 'arrived' : 'missing';
  const rows = await rowsToConfirm(found, options.rows, io.cwd);
  confirmRows(found, rows, { confirmation: { verdict, by, now }, history });
  const next = nextCommands(settings, globals, io.cwd).resume(found.header);
  return {
    exit: 'OK',
    result: shownConfirmedRows({ run: options.run, verdict, by, rows: rows.length, next }),
  };
}
