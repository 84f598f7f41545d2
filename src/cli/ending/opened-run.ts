import type { CommandPorts } from '../command/command-ports.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';

/** A run that is open until the command ends. `isLeft`: as for the folder. @throws AppError those of `RunsFolder.open` */
export function openedRun(
  folder: RunsFolder,
  id: string,
  { onClose }: Pick<CommandPorts, 'onClose'>,
  isLeft?: (run: RunFile) => boolean,
): RunFile {
  const run = folder.open(id, isLeft);
  onClose(() => run.close());
  return run;
}
