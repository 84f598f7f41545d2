import { AppError } from '../../core/app-error.ts';
import { namedRows } from '../csv/named-rows.ts';
import { csvCell } from '../output/formats/csv.ts';
import { UNRESOLVED_COLUMNS } from './unresolved-csv.ts';
import type { Confirmation, UnresolvedRow } from '../run-file/history/confirming.ts';
import type { History } from '../run-file/history/history.ts';
import type { RunFile } from '../run-file/run-file.ts';

/**
 * The rows of a run that a list names; without a list all rows to verify.
 * @throws AppError `usage` without such a row, `not_to_confirm`, `file_not_readable`
 */
export async function rowsToConfirm(
  run: RunFile,
  file: string | undefined,
  cwd: string,
): Promise<readonly UnresolvedRow[]> {
  const unresolved = [...run.confirming.unresolved()];
  if (file !== undefined) return chosenRows(run, file, unresolved, cwd);
  const rows = unresolved.filter(({ outcome }) => outcome === 'verify');
  const reason = 'the run has no row to verify; `--rows FILE` settles other rows';
  if (rows.length === 0) throw new AppError('usage', { reason, command: 'runs confirm' });
  return rows;
}

/** Settles rows of a run, and the same records in the runs that left them like this. @throws AppError when such a run is missing */
export function confirmRows(
  run: RunFile,
  rows: readonly UnresolvedRow[],
  { confirmation, history }: { confirmation: Confirmation; history: History },
): void {
  const origins = Map.groupBy(rows, ({ origin }) => origin);
  for (const [origin, ofOrigin] of origins) {
    if (origin === null) continue;
    // The run that is in doubt about the record would say so again.
    const other = history.other(origin);
    const isMissing = confirmation.verdict === 'missing';
    if (!other && isMissing) throw history.missing(origin);
    if (!other) continue;
    const [own, its] = [run, other].map((each) => each.history.asOther());
    const seqs = ofOrigin.flatMap((row) => {
      const seq = other.confirming.seqOf(row, run.confirming.identityOf(row.seq));
      if (seq === undefined || isMissing) return seq ?? [];
      // The platform has the record as the file has it now.
      const isEqual = row.outcome === 'verify' && own!.contentOf(row.seq).equals(its!.contentOf(seq));
      return isEqual ? [seq] : [];
    });
    other.confirming.confirm(seqs, confirmation);
    history.learn(other);
  }
  run.confirming.confirm(
    rows.map(({ seq }) => seq),
    confirmation,
  );
  history.learn(run);
}

/** The rows that a list names. A list that does not fit to the run settles nothing. */
async function chosenRows(
  run: RunFile,
  file: string,
  unresolved: readonly UnresolvedRow[],
  cwd: string,
): Promise<readonly UnresolvedRow[]> {
  const names = run.header.sources.map(({ name }) => name);
  const byPlace = new Map(unresolved.map((row) => [`${csvCell(names[row.source - 1]!)}:${row.line}`, row]));
  const chosen: UnresolvedRow[] = [];
  const refuse = (line: number, reason: string): AppError =>
    new AppError('not_to_confirm', { file, line, run: run.header.id, reason });
  for await (const { line, cell } of namedRows(file, UNRESOLVED_COLUMNS, { cwd, refuse })) {
    const row = byPlace.get(`${cell('file')}:${cell('line')}`);
    if (!row) throw refuse(line, 'no such row has to be settled');
    if (csvCell(row.external_account_number) !== cell('account') || csvCell(row.id) !== cell('id'))
      throw refuse(line, 'its account or its id is not that of the row');
    chosen.push(row);
  }
  return chosen;
}
