import { AppError } from '../../core/app-error.ts';
import { shellWord } from '../../core/command-line.ts';
import { DESCRIPTORS } from '../../core/contract/resources.ts';
import { isJsonObject, plainJson } from '../../core/values/plain-json.ts';
import { writeNewTypedFile } from '../command/typed-file.ts';
import { namedRows } from '../csv/named-rows.ts';
import type { NextCommands } from '../ending/next-commands.ts';
import type { UnresolvedRow } from '../journal/read/confirming.ts';
import type { Reading } from '../journal/reading.ts';
import { csvCell, csvLine } from '../output/formats/csv.ts';
import { counted } from '../output/text/text.ts';
import type { Io } from '../outside/io.ts';
import type { ChosenRun } from './command-runs.ts';

// The list of the rows that only a person can settle: `runs show --unresolved --csv` writes it, and `runs confirm --rows` reads it.

const COLUMNS = [
  'import_supplier',
  'account',
  'id',
  'type',
  'date',
  'amount',
  'file',
  'line',
  'outcome',
] as const;

/** Stands for a name that is not known. No person is called so. */
export const PLACEHOLDER = 'NAME';

/** A row that only a person can settle, and its reading. */
export type Unresolved = Readonly<{ reading: Reading; row: UnresolvedRow }>;

const unresolvedOf = ({ readings }: ChosenRun): readonly Unresolved[] =>
  readings.flatMap((reading) => [...reading.confirming.unresolved()].map((row) => ({ reading, row })));

/** Writes the list to a new file. Returns a note about it. @throws AppError `file_exists`, `file_not_writable` */
export function unresolvedFile(
  run: ChosenRun,
  file: string,
  { io: { cwd, userName }, commands }: { io: Pick<Io, 'cwd' | 'userName'>; commands: NextCommands },
): string {
  if (file === '-')
    throw new AppError('usage', { reason: '--csv takes a file, not standard output', command: 'runs show' });
  const rows = unresolvedOf(run);
  if (rows.length === 0) return `unresolved: no row, so ${file} was not written`;
  writeNewTypedFile(file, [csvLine(COLUMNS), ...rows.map(unresolvedLine)].join(''), cwd);
  const confirm = commands.confirm(run, file);
  return `unresolved: ${counted(rows.length, 'row')} in ${file}; once compared with the platform: ${confirm} --arrived --by ${shellWord(userName ?? PLACEHOLDER)}, or --missing`;
}

export function unresolvedLine({ reading, row }: Unresolved): string {
  return csvLine([
    csvCell(row.import_supplier),
    csvCell(row.external_account_number),
    csvCell(row.id),
    csvCell(row.type),
    dateOf({ reading, row }),
    row.amount,
    csvCell(row.file),
    row.line,
    row.outcome,
  ]);
}

/** The day or time of a record; null without one, and once its text is erased. */
function dateOf({ reading: { header }, row: { payload } }: Unresolved): string | null {
  const record = payload === null ? undefined : plainJson(payload);
  const [first] = DESCRIPTORS[header.resource].dates;
  const value = first && isJsonObject(record) ? record[first.field] : undefined;
  return typeof value === 'string' ? value : null;
}

/**
 * The rows that a list names; without a list all unproven rows. A list that does not fit to the command settles nothing.
 * @throws AppError `usage` without such a row, `not_to_confirm`, `file_not_readable`
 */
export async function rowsToConfirm(
  run: ChosenRun,
  file: string | undefined,
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
    new AppError('not_to_confirm', { file, line, run: run.id, reason });
  const byPlace = Map.groupBy(rows, ({ row }) => `${csvCell(row.file)}:${row.line}`);
  const chosen: Unresolved[] = [];
  for await (const { line, cell } of namedRows(file, COLUMNS, { cwd, refuse })) {
    const there = byPlace.get(`${cell('file')}:${cell('line')}`);
    if (!there) throw refuse(line, 'no such row has to be settled');
    const ofRecord = there.filter(
      ({ row }) => csvCell(row.external_account_number) === cell('account') && csvCell(row.id) === cell('id'),
    );
    // Two readings of a file may have read two records at one line.
    const [one, second] =
      ofRecord.length === 1 ? ofRecord : ofRecord.filter((each) => dateOf(each) === cell('date'));
    if (ofRecord.length === 0) throw refuse(line, 'its account or its id is not that of the row');
    if (!one || second)
      throw refuse(line, 'two records were read at this line, and its date does not tell which it is');
    chosen.push(one);
  }
  return chosen;
}
