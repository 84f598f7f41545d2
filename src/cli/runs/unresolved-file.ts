import { AppError } from '../../core/app-error.ts';
import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import { isJsonObject, plainJson } from '../../core/values/plain-json.ts';
import { shellWord } from '../../core/command-line.ts';
import type { Io } from '../outside/io.ts';
import { csvLine } from '../output/formats/csv.ts';
import { unresolvedCells, unresolvedHeader } from './unresolved-csv.ts';
import { counted } from '../output/text/text.ts';
import type { UnresolvedRow } from '../journal/read/confirming.ts';
import type { ChosenRun } from './command-runs.ts';
import type { NextCommands } from '../ending/next-commands.ts';
import { writeNewTypedFile } from '../command/typed-file.ts';

/** Stands for a name that is not known. No person is called so. */
export const PLACEHOLDER = 'NAME';

/**
 * Writes the rows that only a person can settle to a new file, to be handed over. Returns a note about it.
 * @throws AppError `file_exists`, `file_not_writable`
 */
export function unresolvedFile(
  run: ChosenRun,
  file: string,
  { io: { cwd, userName }, commands }: { io: Pick<Io, 'cwd' | 'userName'>; commands: NextCommands },
): string {
  if (file === '-')
    throw new AppError('usage', { reason: '--csv takes a file, not standard output', command: 'runs show' });
  const lines = [unresolvedHeader()];
  for (const { header, confirming } of run.readings)
    for (const row of confirming.unresolved()) {
      const place = { date: dateOf(header.resource, row), file: header.sources[row.source - 1]!.name };
      lines.push(csvLine(unresolvedCells({ ...row, ...place })));
    }
  if (lines.length === 1) return `unresolved: no row, so ${file} was not written`;
  writeNewTypedFile(file, lines.join(''), cwd);
  const confirm = commands.confirm(run, file);
  return `unresolved: ${counted(lines.length - 1, 'row')} in ${file}; once compared with the platform: ${confirm} --arrived --by ${shellWord(userName ?? PLACEHOLDER)}, or --missing`;
}

/** The day or time of a record; null without one, and once its text is erased. */
function dateOf(resource: Resource, { payload }: Pick<UnresolvedRow, 'payload'>): string | null {
  const record = payload === null ? undefined : plainJson(payload);
  const [first] = DESCRIPTORS[resource].dates;
  const value = first && isJsonObject(record) ? record[first.field] : undefined;
  return typeof value === 'string' ? value : null;
}
