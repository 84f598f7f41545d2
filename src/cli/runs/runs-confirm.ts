import { AppError } from '../../core/app-error.ts';
import { shellWord } from '../../core/command-line.ts';
import { DESCRIPTORS } from '../../core/contract/resources.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import { isJsonObject, plainJson } from '../../core/values/plain-json.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { runArgument } from '../command/flags.ts';
import { writeNewTypedFile } from '../command/typed-file.ts';
import { namedRows } from '../csv/named-rows.ts';
import type { ConfirmedAs, UnresolvedRow } from '../journal/read/confirming.ts';
import type { Reading } from '../journal/reading.ts';
import { csvCell, csvLine } from '../output/formats/csv.ts';
import { counted } from '../output/text/text.ts';
import type { Io } from '../outside/io.ts';
import { chosenRun, type ChosenRun } from './command-runs.ts';

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
  const rows = await rowsToConfirm(chosen, options, io.cwd);
  const now = preciseInstantOfClock(io.timing.nowMs());
  for (const [reading, of] of Map.groupBy(rows, (each) => each.reading)) {
    const seqs = of.map(({ row }) => row.seq);
    reading.confirming.confirm(seqs, { verdict, by, now });
    chosen.journals.at(reading.db.name).see();
  }
  const next = chosen.commands.again(chosen.readings[0]!);
  const fields = { run: chosen.id, verdict, by, rows: rows.length };
  const sentence = `${chosen.id}: ${counted(rows.length, 'row')} ${MEANS[verdict]}, confirmed by ${by}`;
  return { exit: 'OK', result: { fields, next, text: () => [sentence] } };
}

const MEANS: Readonly<Record<ConfirmedAs, string>> = {
  arrived: 'counted as arrived',
  missing: 'counted as missing, which the next command sends as far as the files have them',
};

// The list of the rows that only a person can settle: `runs show --unresolved --csv` writes it, and `runs confirm --rows` reads it.

/** The columns of the list, with the cell of a row in each. */
const CELLS = {
  import_supplier: ({ row }) => csvCell(row.import_supplier),
  account: ({ row }) => csvCell(row.external_account_number),
  id: ({ row }) => csvCell(row.id),
  type: ({ row }) => csvCell(row.type),
  date: dateOf,
  amount: ({ row }) => row.amount ?? '',
  file: ({ row }) => csvCell(row.file),
  line: ({ row }) => `${row.line}`,
  outcome: ({ row }) => row.outcome,
} as const satisfies Readonly<Record<string, (row: Unresolved) => string>>;

export const COLUMNS = Object.keys(CELLS);

/** The columns that say which row it is. */
const NAME = ['file', 'line', 'account', 'id'] as const;

/** Stands for a name that is not known. No person is called so. */
const PLACEHOLDER = 'NAME';

/** A row that only a person can settle, and its reading. */
type Unresolved = Readonly<{ reading: Reading; row: UnresolvedRow }>;

const unresolvedOf = ({ readings }: ChosenRun): readonly Unresolved[] =>
  readings.flatMap((reading) => [...reading.confirming.unresolved()].map((row) => ({ reading, row })));

/** Writes the list to a new file. Returns what to do with it. */
export function unresolvedFile(
  run: ChosenRun,
  file: string,
  { cwd, userName }: Pick<Io, 'cwd' | 'userName'>,
): readonly string[] {
  if (file === '-')
    throw new AppError('usage', { reason: '--csv takes a file, not standard output', command: 'runs show' });
  const rows = unresolvedOf(run);
  if (rows.length === 0) return [`unresolved: no row, so ${file} was not written`];
  const cellsOf = (row: Unresolved) => Object.values(CELLS).map((cell) => cell(row));
  writeNewTypedFile(file, [COLUMNS, ...rows.map(cellsOf)].map(csvLine).join(''), cwd);
  const unknown = rows.filter(({ row }) => row.outcome === 'unknown').length;
  const first = unknown > 0 ? ` (the next push settles ${unknown} that are unknown: remove them)` : '';
  const confirm = run.commands.confirm(run, file);
  const by = shellWord(userName ?? PLACEHOLDER);
  return [
    `unresolved: ${counted(rows.length, 'row')} in ${file}${first}; compare the list with the platform, then type one of these:`,
    ...['--arrived', '--missing'].map((verdict) => `  ${confirm} ${verdict} --by ${by}`),
  ];
}

/** The day or time of a record; empty without one, and once its text is erased. */
function dateOf({ reading: { header }, row: { payload } }: Unresolved): string {
  const record = payload === null ? undefined : plainJson(payload);
  const [first] = DESCRIPTORS[header.resource].dates;
  const value = first && isJsonObject(record) ? record[first.field] : undefined;
  return typeof value === 'string' ? value : '';
}

/** The rows that a list names; without a list all unproven rows. A list that does not fit to the command settles nothing. */
async function rowsToConfirm(
  run: ChosenRun,
  { rows: file, missing }: RunsConfirmOptions,
  cwd: string,
): Promise<readonly Unresolved[]> {
  const rows = unresolvedOf(run);
  if (file === undefined) {
    const unproven = rows.filter(({ row }) => row.outcome === 'verify');
    const reason = 'the run has no unproven row; `--rows FILE` settles other rows';
    if (unproven.length === 0) throw new AppError('usage', { reason, command: 'runs confirm' });
    return unproven;
  }
  const refuse = (line: number, reason: string): AppError =>
    new AppError('usage', {
      reason: `${file}:${line} is not a row of the run ${run.id} that can be confirmed: ${reason}`,
      todo: `Take the rows from \`dataimport runs show RUN --unresolved --csv FILE\`, and remove those that are not meant.`,
    });
  const byName = Map.groupBy(rows, (row) => JSON.stringify(NAME.map((column) => CELLS[column](row))));
  const chosen = new Set<Unresolved>();
  for await (const { line, cell } of namedRows(file, COLUMNS, { cwd, refuse })) {
    const named = byName.get(JSON.stringify(NAME.map((column) => cell(column))));
    if (!named) throw refuse(line, 'no such row has to be settled');
    // Two readings of a file may have read two records at one line.
    const [one, second] = named.length === 1 ? named : named.filter((row) => dateOf(row) === cell('date'));
    if (!one || second)
      throw refuse(line, 'two records were read at this line, and its date does not tell which it is');
    if (missing && one.row.outcome === 'moved')
      throw refuse(line, 'its record is on another account, so that sending it would make a second one');
    chosen.add(one);
  }
  return [...chosen];
}
