import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { Ending } from '../output/run/run-document.ts';
import type { RunReport } from '../push/ports/report.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import { recordedEnding } from './ending.ts';
import { endingCommands, nextCommands, type RepeatedFlags } from './next-commands.ts';
import type { ResolvedSetting, Settings } from '../settings/settings.ts';

/** The settings and flags that the next commands of runs in any folder repeat. */
export type FolderChoice = Readonly<{ settings: Settings; flags: RepeatedFlags; cwd: string }>;

/** How a run ended, and its commands. @throws AppError `run_never_staged` */
export function endingInFolder(
  run: RunFile,
  report: RunReport,
  folder: RunsFolder,
  choice: FolderChoice,
): { ending: Ending; commands: ReturnType<typeof endingCommands> } {
  const { header, condition } = run;
  if (condition === 'never_staged') throw new AppError('run_never_staged', { run: header.id });
  const commands = commandsInFolder(run, folder, choice);
  const isOpen = run.isOpen || (condition === 'forgotten' && run.end !== null);
  const ending = recordedEnding(report, isOpen ? run.end : null, { commands, isOpen });
  return { ending: { ...ending, resumable: ending.resumable && run.isOpen }, commands };
}

/** The commands of a run, which name the folder where it was found. The command that sent it is named where it leads to the same run. */
export function commandsInFolder(
  run: RunFile,
  folder: RunsFolder,
  { settings, flags, cwd }: FolderChoice,
): ReturnType<typeof endingCommands> {
  const { header } = run;
  const { words, cohort } = run.choice;
  const commands = nextCommands(settingsIn(folder.path, settings), flags, cwd);
  const isTyped = (flag: string): boolean =>
    words.some((word) => word === flag || word.startsWith(`${flag}=`));
  const isFlag = (name: 'runDir' | 'baseUrl'): boolean => settings.resolved(name)?.source.kind === 'flag';
  const leadsHere =
    settings.get('runDir') === folder.path &&
    isTyped('--run-dir') === isFlag('runDir') &&
    (isTyped('--base-url') || (settings.get('baseUrl') === header.target && !isFlag('baseUrl'))) &&
    (cohort ? [cohort.file] : header.sources.map(({ name }) => name)).every((file) =>
      existsSync(resolve(cwd, file)),
    );
  const found = endingCommands(commands, run);
  // Only its files can send what a run without its payloads has left.
  return leadsHere || run.condition === 'forgotten' ? { ...found, again: found.withFiles } : found;
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
