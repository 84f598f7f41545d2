import { statSync } from 'node:fs';
import type { CommandPorts } from '../command-ports.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';

/** Rights of the group and of others to write. */
const OTHERS_WRITE = 0o022;

/** Warns when other users may write into the folder of the run files, because they could replace or remove a run. */
export function warnOfSharedFolder(
  { path }: RunsFolder,
  { io, output }: Pick<CommandPorts, 'io' | 'output'>,
): void {
  // The rights of a folder say nothing on Windows.
  if (io.platform === 'win32') return;
  if ((modeOf(path) & OTHERS_WRITE) !== 0)
    output.emit({ kind: 'warning', code: 'run_folder_shared', facts: { folder: path } });
}

/** The rights of a folder; 0 when they cannot be read. Opening a run then reports why. */
function modeOf(path: string): number {
  try {
    return statSync(path).mode;
  } catch {
    return 0;
  }
}
