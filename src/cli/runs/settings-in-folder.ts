import { RunsFolder } from '../run-file/runs-folder.ts';
import type { Settings } from '../settings/settings.ts';
import { cohortFolders } from './cohort-files.ts';

/** The settings with another folder of runs. Next commands about its runs name it. */
export function settingsIn(folder: string, settings: Settings): Settings {
  const here = { value: folder, text: folder, source: { kind: 'flag', name: '--run-dir' } } as const;
  return {
    resolved: (wanted) => (wanted === 'runDir' ? (here as never) : settings.resolved(wanted)),
    get: (wanted) => (wanted === 'runDir' ? (folder as never) : settings.get(wanted)),
    need: (wanted) => (wanted === 'runDir' ? (folder as never) : settings.need(wanted)),
  };
}

/** The settings of a command about runs. Runs of a cohort are in its folder, below that of the other runs, and `runs` lists them all. */
export function settingsForRuns(ids: readonly (string | undefined)[], settings: Settings): Settings {
  const root = new RunsFolder(settings.need('runDir'));
  const known = root.ids();
  const wanted = ids.filter((id) => id !== undefined);
  if (wanted.length === 0 || wanted.some((id) => known.includes(id))) return settings;
  const ofCohort = cohortFolders(root).find(({ folder }) => wanted.every((id) => folder.ids().includes(id)));
  return ofCohort ? settingsIn(ofCohort.folder.path, settings) : settings;
}
