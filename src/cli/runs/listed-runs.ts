import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { RunsFolder, type ListedRun } from '../run-file/runs-folder.ts';
import { cohortFolders } from './cohort-files.ts';

const RUN_FILE = /\.sqlite$/;

/** A run and the folder of its file. */
export interface FoundRun {
  readonly folder: RunsFolder;
  readonly listed: ListedRun;
}

/** Runs that a command line names. */
export interface NamedRuns {
  /** The ids of the runs of each folder; `all` of them where the folder itself was typed. */
  readonly folders: ReadonlyMap<string, ReadonlySet<string> | 'all'>;
}

/**
 * The runs that are typed as folders, as run files or, where `runDir` is given, as ids and as names of cohorts.
 * @throws AppError `run_not_found`
 */
export function namedRuns(typed: readonly string[], cwd: string, runDir?: string): NamedRuns {
  const folders = new Map<string, Set<string> | 'all'>();
  const add = (folder: string, id: string): void => {
    const ids = folders.get(folder) ?? new Set();
    if (ids !== 'all') folders.set(folder, ids.add(id));
  };
  for (const word of typed) {
    const path = resolve(cwd, word);
    if (RUN_FILE.test(word)) {
      add(dirname(path), basename(path).replace(RUN_FILE, ''));
      continue;
    }
    const found = runDir === undefined ? undefined : foundIn(new RunsFolder(runDir), word);
    // A folder of files may have the name of a cohort. Another way to write its path, such as ./name, means the folder.
    if (found?.id !== undefined) add(found.folder, found.id);
    else if (found) folders.set(found.folder, 'all');
    else if (runDir === undefined || isFolder(path)) folders.set(path, 'all');
    else throw new AppError('run_not_found', { run: word, folder: runDir });
  }
  for (const [path, ids] of folders) {
    const known = new RunsFolder(path).ids();
    const missing = ids === 'all' ? undefined : [...ids].find((id) => !known.includes(id));
    if (missing !== undefined) throw new AppError('run_not_found', { run: missing, folder: path });
  }
  return { folders };
}

/** Where a folder of runs has an id or a cohort; without an id for the whole cohort. */
function foundIn(
  root: RunsFolder,
  word: string,
): { readonly folder: string; readonly id?: string } | undefined {
  if (root.ids().includes(word)) return { folder: root.path, id: word };
  for (const { cohort, folder } of cohortFolders(root)) {
    if (cohort === word) return { folder: folder.path };
    if (folder.ids().includes(word)) return { folder: folder.path, id: word };
  }
  return undefined;
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** Each run is open until the next one is read. */
export function* openedRuns({ folders }: NamedRuns): Generator<FoundRun> {
  for (const [path, ids] of folders) {
    const folder = new RunsFolder(path);
    for (const listed of folder.list({ ids: ids === 'all' ? undefined : ids, takesUp: true }))
      yield { folder, listed };
  }
}

/** Says that a run which died while it read its file is not counted. */
export function neverStagedNote(run: string): string {
  return `The run ${run} was stopped while it read its file. It has sent nothing and is not counted.`;
}
