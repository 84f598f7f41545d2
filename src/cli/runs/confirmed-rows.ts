import { AppError } from '../../core/app-error.ts';
import { namedRows } from '../csv/named-rows.ts';
import { csvCell } from '../output/formats/csv.ts';
import { UNRESOLVED_COLUMNS } from './unresolved-csv.ts';
import type { Confirmation, UnresolvedRow } from '../run-file/history/confirming.ts';
import type { History } from '../run-file/history/history.ts';
import type { RunFile } from '../run-file/run-file.ts';

/**
 * Settles rows of a run by the word of a person, and the same records in the runs that left them like this. Without a file all rows to
 * verify are meant. Returns how many there were.
 * @throws AppError `usage` without such a row, `not_to_confirm`, `file_not_readable`
 */
export async function confirmRows(
  run: RunFile,
  file: string | undefined,
  { confirmation, history, cwd }: { confirmation: Confirmation; history: History; cwd: string },
): Promise<number> {
  const unresolved = [...run.confirming.unresolved()];
  const rows =
    file === undefined
      ? unresolved.filter(({ outcome }) => outcome === 'verify')
      : await chosenRows(run, file, unresolved, cwd);
  const reason = 'the run has no row to verify; `--rows FILE` settles other rows';
  if (file === undefined && rows.length === 0)
    throw new AppError('usage', { reason, command: 'runs confirm' });
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
  return rows.length;
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
