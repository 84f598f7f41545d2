import { basename, dirname, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import { OpenJournals, type FoundReading, type KnownReadings } from '../journal/found-readings.ts';
import { JournalsFolder } from '../journal/journals-folder.ts';
import type { Settings } from '../settings/settings.ts';

/** All values of `--run-dir`, for a command that takes the flag several times. */
export type RunDirFlag = { readonly runDir?: readonly string[] | undefined };

/**
 * The folder of the journals, or those of several machines that have sent the shards of one file.
 * @throws AppError `run_not_found` for one of several that has no journal
 */
export function runsFolders(
  { runDir = [] }: RunDirFlag,
  settings: Settings,
  cwd: string,
): readonly JournalsFolder[] {
  const paths = [...new Set(runDir.map((dir) => resolve(cwd, dir)))];
  if (paths.length < 2) return [new JournalsFolder(settings.need('runDir'))];
  const folders = paths.map((path) => new JournalsFolder(path));
  const empty = folders.find((folder) => folder.files().length === 0);
  if (empty)
    throw new AppError('run_not_found', {
      reason: `no run is in ${empty.path}`,
      todo: 'Name the folders of all shards and no others, each with `--run-dir`.',
      folder: empty.path,
    });
  return folders;
}

/** The journals of a command, until it ends. */
export function openJournals({ onClose }: Pick<CommandPorts, 'onClose'>): OpenJournals {
  const journals = new OpenJournals();
  onClose(() => journals.close());
  return journals;
}

/**
 * Asserts that no journal which cannot be read now may have newer readings of the same files: one beside theirs, or any without readings.
 * @throws AppError why it cannot be read
 */
export function assertReadable(
  { unread }: KnownReadings,
  readings: readonly FoundReading[],
  resource?: Resource,
): void {
  const hidden = unread.find(
    ({ file }) =>
      (resource === undefined || basename(file).split('.')[0] === resource) &&
      (readings.length === 0 || readings.some((reading) => dirname(reading.file) === dirname(file))),
  );
  if (hidden) throw hidden.error;
}

/** The paths of the folders, for a message. */
export const pathsOf = (folders: readonly JournalsFolder[]): string =>
  folders.map(({ path }) => path).join(', ');
