import { AppError } from '../../core/app-error.ts';
import type { Ending } from '../output/run/run-document.ts';
import type { RunReport } from '../push/ports/report.ts';
import type { Reading } from '../journal/reading.ts';
import type { JournalsFolder } from '../journal/journals-folder.ts';
import { recordedEnding } from './ending.ts';
import { endingCommands, nextCommands, type RepeatedFlags } from './next-commands.ts';
import type { ResolvedSetting, Settings } from '../settings/settings.ts';

/** The settings and flags that the next commands of runs in any folder repeat. */
export type FolderChoice = Readonly<{ settings: Settings; flags: RepeatedFlags; cwd: string }>;

/** How a run ended, and its commands. @throws AppError `run_never_staged` */
export function endingInFolder(
  run: Reading,
  report: RunReport,
  folder: JournalsFolder,
  choice: FolderChoice,
): { ending: Ending; commands: ReturnType<typeof endingCommands> } {
  const { header, condition } = run;
  if (condition === 'never_staged') throw new AppError('run_never_staged', { run: header.id });
  const commands = commandsInFolder(run, folder, choice);
  const isOpen = run.isOpen || (condition === 'forgotten' && run.end !== null);
  const ending = recordedEnding(report, isOpen ? run.end : null, { commands, isOpen });
  return { ending: { ...ending, resumable: ending.resumable && run.isOpen }, commands };
}

/** The commands of a reading, which name the folder where it was found. */
export function commandsInFolder(
  run: Reading,
  folder: JournalsFolder,
  { settings, flags, cwd }: FolderChoice,
): ReturnType<typeof endingCommands> {
  return endingCommands(nextCommands(settingsIn(folder.path, settings), flags, cwd), run);
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
