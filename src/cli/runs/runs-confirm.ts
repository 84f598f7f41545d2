import { AppError } from '../../core/app-error.ts';
import { total } from '../../core/values/counts.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { runArgument } from '../command/flags.ts';
import { shownConfirmedRows } from './confirmed-rows-result.ts';
import { PLACEHOLDER } from './unresolved-file.ts';
import { chosenRun, runsIn } from './command-runs.ts';
import { rowsToConfirm } from './confirmed-rows.ts';
import { nextCommands } from '../ending/next-commands.ts';

export interface RunsConfirmOptions {
  readonly run?: string;
  readonly rows?: string;
  readonly arrived?: boolean;
  readonly missing?: boolean;
  readonly by: string;
}

export const command: CommandDeclaration<RunsConfirmOptions> = {
  description:
    'Records that you have compared rows with the platform: rows that no answer proves, rows without an answer, and refused ones. Rows that arrived count as arrived, and the next command sends missing rows again. The name and the time are sealed in the chain.',
  examples: [
    'dataimport runs confirm --arrived --by "A. Lead"',
    'dataimport runs confirm 20261121-101502-push-statements --rows missing.csv --missing --by "A. Lead"',
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
  const { io, globals } = context;
  const settings = await context.settings();
  const known = runsIn(settings, context);
  const chosen = chosenRun(known, options.run);
  const verdict = arrived ? 'arrived' : 'missing';
  const rows = await rowsToConfirm(chosen, options.rows, io.cwd);
  const now = preciseInstantOfClock(io.timing.nowMs());
  for (const [reading, ofReading] of rows) {
    const seqs = ofReading.map(({ seq }) => seq);
    reading.confirming.confirm(seqs, { verdict, by, now });
    const journal = known.journals.at(chosen.fileOf(reading));
    journal.see(journal.head());
  }
  const [first] = chosen.readings;
  return {
    exit: 'OK',
    result: shownConfirmedRows({
      run: chosen.id,
      verdict,
      by,
      rows: total([...rows.values()], (of) => of.length),
      next: nextCommands(settings, globals, io.cwd).again(first!),
    }),
  };
}
