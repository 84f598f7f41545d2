import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import { History } from '../run-file/history/history.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';
import type { Settings } from '../settings/settings.ts';

/** A folder of runs, and what its runs know of each record. */
export interface KnownFolder {
  readonly folder: RunsFolder;
  readonly history: History;
}

/** A run in one of several folders. */
export type RunPlace = { readonly folder: RunsFolder; readonly id: string };

/** All values of `--run-dir`, for a command that takes the flag several times. */
export type RunDirFlag = { readonly runDir?: readonly string[] | undefined };

/**
 * The folder of runs, or those of several machines that have sent the shards of one file.
 * @throws AppError `shards_differ` for one of several that has no run
 */
export function runsFolders(
  { runDir = [] }: RunDirFlag,
  settings: Settings,
  cwd: string,
): readonly RunsFolder[] {
  const paths = [...new Set(runDir.map((dir) => resolve(cwd, dir)))];
  if (paths.length < 2) return [new RunsFolder(settings.need('runDir'))];
  const folders = paths.map((path) => new RunsFolder(path));
  const empty = folders.find(({ isKnown }) => !isKnown);
  if (empty) throw new AppError('shards_differ', { reason: `no run is in ${empty.path}` });
  return folders;
}

/** Opens the histories of the folders that have one, until the command ends. */
export function knownFolders(
  folders: readonly RunsFolder[],
  { onClose }: Pick<CommandPorts, 'onClose'>,
): readonly KnownFolder[] {
  return folders
    .filter(({ isKnown }) => isKnown)
    .map((folder) => {
      const history = History.open(folder);
      onClose(() => history.close());
      return { folder, history };
    });
}

/** The paths of the folders, for a message. */
export const pathsOf = (folders: readonly RunsFolder[]): string => folders.map(({ path }) => path).join(', ');
