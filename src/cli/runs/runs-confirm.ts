import { AppError } from '../../core/app-error.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { runArgument } from '../command/flags.ts';
import type { ConfirmedAs } from '../journal/read/confirming.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { counted, escapeControl } from '../output/text/text.ts';
import { chosenRun } from './command-runs.ts';
import { PLACEHOLDER, rowsToConfirm } from './unresolved.ts';

export interface RunsConfirmOptions {
  readonly run?: string;
  readonly rows?: string;
  readonly arrived?: boolean;
  readonly missing?: boolean;
  readonly by: string;
}

export const command: CommandDeclaration<RunsConfirmOptions> = {
  description:
    'Records that you have compared rows with the platform: unproven rows, rows without an answer, and refused ones. Rows that arrived count as arrived, and the next command sends missing rows again. The name and the time are sealed in the chain.',
  examples: [
    'dataimport runs confirm --arrived --by "A. Lead"',
    'dataimport runs confirm 20261121-101502-push-statements --rows missing.csv --missing --by "A. Lead"',
  ],
  settings: ['runDir'],
  declare: (declared) =>
    void declared
      .addArgument(runArgument())
      .option(
        '--rows <file>',
        'only these rows, from the list of `runs show --unresolved --csv` (default: all unproven rows)',
      )
      .option('--arrived', 'the platform has the records as the file has them')
      .option('--missing', 'the platform does not have the records')
      .requiredOption('--by <name>', 'who has compared them'),
  run,
};

async function run(options: RunsConfirmOptions, context: CommandContext): Promise<CommandEnd> {
  const { arrived = false, missing = false, by } = options;
  const refuse = (reason: string): AppError => new AppError('usage', { reason, command: 'runs confirm' });
  if (arrived === missing) throw refuse('give --arrived or --missing');
  if (['', PLACEHOLDER].includes(by.trim())) throw refuse('--by needs a name: who has compared the rows');
  const { io } = context;
  const chosen = await chosenRun(options.run, context);
  const verdict = arrived ? 'arrived' : 'missing';
  const rows = await rowsToConfirm(chosen, options.rows, io.cwd);
  const now = preciseInstantOfClock(io.timing.nowMs());
  for (const [reading, of] of Map.groupBy(rows, (each) => each.reading)) {
    const seqs = of.map(({ row }) => row.seq);
    reading.confirming.confirm(seqs, { verdict, by, now });
    chosen.journals.at(reading.db.name).see();
  }
  const next = chosen.commands.again(chosen.readings[0]!);
  return { exit: 'OK', result: shownConfirmed({ run: chosen.id, verdict, by, rows: rows.length, next }) };
}

const MEANS: Readonly<Record<ConfirmedAs, string>> = {
  arrived: 'counted as arrived',
  missing: 'counted as missing, which the next command sends as far as the files have them',
};

type Confirmed = Readonly<{ run: string; verdict: ConfirmedAs; by: string; rows: number; next: string }>;

const shownConfirmed = shownAs<Confirmed>({
  document: (confirmed, exit) => ({ version: 1, exit: exitDocument(exit), ...confirmed }),
  text: ({ run: id, verdict, by, rows, next }) =>
    `${escapeControl(id)}: ${counted(rows, 'row')} ${MEANS[verdict]}, confirmed by ${escapeControl(by)}\n` +
    `next: ${escapeControl(next)}\n`,
});
