import { AppError } from '../../core/app-error.ts';
import type { Ending } from '../output/run-document.ts';
import type { RunReport } from '../push/ports/report.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import { recordedEnding } from '../sending/ending.ts';
import {
  endingCommands,
  nextCommands,
  type NextCommands,
  type RepeatedFlags,
} from '../sending/next-commands.ts';
import type { ResolvedSetting, Settings } from '../settings/settings.ts';

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
  const commands = nextCommands(settingsIn(folder.path, settings), flags, cwd);
  const ending = recordedEnding(report, run.isOpen ? run.end : null, {
    commands: endingCommands(commands, header),
    isOpen: run.isOpen,
  });
  return { ending, commands };
}

/** The settings with another folder of runs. Next commands about its runs name it. */
function settingsIn(folder: string, settings: Settings): Pick<Settings, 'resolved'> {
  if (settings.get('runDir') === folder) return settings;
  const here: ResolvedSetting<string> = {
    value: folder,
    text: folder,
    source: { kind: 'flag', name: '--run-dir' },
  };
  return { resolved: (wanted) => (wanted === 'runDir' ? (here as never) : settings.resolved(wanted)) };
}
