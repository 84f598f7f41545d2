import { AppError } from '../../core/app-error.ts';
import type { Ending } from '../output/run-document.ts';
import type { RunReport } from '../push/ports/report.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import type { Settings } from '../settings/settings.ts';
import { recordedEnding } from './ending.ts';
import { commandsAfter, nextCommands, type NextCommands, type RepeatedFlags } from './next-commands.ts';
import { settingsIn } from './settings-in-folder.ts';

/** The settings and flags that the next commands of runs in any folder repeat. */
export interface FolderChoice {
  readonly settings: Settings;
  readonly flags: RepeatedFlags;
  readonly cwd: string;
}

/**
 * How a run ended, and its commands, which name the folder where the run was found. @throws AppError `run_never_staged`
 */
export function endingInFolder(
  run: RunFile,
  report: RunReport,
  folder: RunsFolder,
  { settings, flags, cwd }: FolderChoice,
): { readonly ending: Ending; readonly commands: NextCommands } {
  const { header, condition } = run;
  if (condition === 'never_staged') throw new AppError('run_never_staged', { run: header.id });
  // The next command has to find the run here.
  const isHere = settings.get('runDir') === folder.path;
  const inFolder = isHere ? settings : settingsIn(folder.path, settings);
  const commands = nextCommands(inFolder, flags, cwd, settings.resolved('runDir'));
  const end = condition === 'done' ? null : run.end;
  const after = commandsAfter(run, commands);
  const ending = recordedEnding(condition, report, { end, resume: commands.resume(header), after });
  return { ending, commands };
}
