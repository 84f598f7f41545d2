import { AppError } from '../../core/app-error.ts';
import { namedRows } from '../csv/named-rows.ts';
import type { UnresolvedRow } from '../journal/read/confirming.ts';
import type { Reading } from '../journal/reading.ts';
import { csvCell } from '../output/formats/csv.ts';
import type { ChosenRun } from './command-runs.ts';
import { UNRESOLVED_COLUMNS } from './unresolved-csv.ts';

/** Rows of a reading that a person settles. */
export type RowsToConfirm = ReadonlyMap<Reading, readonly UnresolvedRow[]>;

type Candidate = Readonly<{ reading: Reading; row: UnresolvedRow }>;

/**
 * The rows of a command that a list names; without a list all rows to verify.
 * @throws AppError `usage` without such a row, `not_to_confirm`, `file_not_readable`
 */
export async function rowsToConfirm(
  run: ChosenRun,
  file: string | undefined,
  cwd: string,
): Promise<RowsToConfirm> {
  const unresolved = run.readings.flatMap((reading) =>
    [...reading.confirming.unresolved()].map((row) => ({ reading, row })),
  );
  const chosen =
    file === undefined
      ? unresolved.filter(({ row }) => row.outcome === 'verify')
      : await chosenRows(run, file, unresolved, cwd);
  const reason = 'the run has no row to verify; `--rows FILE` settles other rows';
  if (file === undefined && chosen.length === 0)
    throw new AppError('usage', { reason, command: 'runs confirm' });
  const rows = new Map<Reading, UnresolvedRow[]>();
  for (const { reading, row } of chosen) rows.set(reading, [...(rows.get(reading) ?? []), row]);
  return rows;
}

/** The rows that a list names. A list that does not fit to the run settles nothing. */
async function chosenRows(
  run: ChosenRun,
  file: string,
  unresolved: readonly Candidate[],
  cwd: string,
): Promise<readonly Candidate[]> {
  const byPlace = Map.groupBy(
    unresolved,
    ({ reading, row }) => `${csvCell(reading.header.sources[row.source - 1]!.name)}:${row.line}`,
  );
  const chosen: Candidate[] = [];
  const refuse = (line: number, reason: string): AppError =>
    new AppError('not_to_confirm', { file, line, run: run.id, reason });
  for await (const { line, cell } of namedRows(file, UNRESOLVED_COLUMNS, { cwd, refuse })) {
    const there = byPlace.get(`${cell('file')}:${cell('line')}`);
    if (!there) throw refuse(line, 'no such row has to be settled');
    const row = there.find(
      ({ row: { external_account_number: account, id } }) =>
        csvCell(account) === cell('account') && csvCell(id) === cell('id'),
    );
    if (!row) throw refuse(line, 'its account or its id is not that of the row');
    chosen.push(row);
  }
  return chosen;
}
