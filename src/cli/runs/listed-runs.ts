import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { RunsFolder, type ListedRun } from '../run-file/runs-folder.ts';
import { areDisjoint, type Shard } from '../push/ports/run.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { platformOf, type RunScope } from '../run-file/database/run-header.ts';
import { cohortPlace } from '../sources/version.ts';

const RUN_FILE = /\.sqlite$/;

export type FoundRun = { readonly folder: RunsFolder; readonly listed: ListedRun };

/** Runs that a command line names. */
export interface NamedRuns {
  /** The ids of the runs of each folder; `all` of them where the folder itself was typed. */
  readonly folders: ReadonlyMap<string, ReadonlySet<string> | 'all'>;
}

/**
 * The runs that are typed as folders, as run files, or as ids and names of cohorts in one of the folders `runDirs`.
 * @throws AppError `run_not_found`
 */
export function namedRuns(typed: readonly string[], cwd: string, runDirs: readonly string[]): NamedRuns {
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
    const found = runDirs.flatMap((runDir) => {
      const ids = foundIn(new RunsFolder(runDir), word);
      return ids ? [[runDir, ids] as const] : [];
    });
    // A folder of files may have the name of a cohort. Another way to write its path, such as ./name, means the folder.
    for (const [runDir, ids] of found) for (const id of ids) add(runDir, id);
    if (found.length > 0) continue;
    if (!existsSync(path) || !statSync(path).isDirectory())
      throw new AppError('run_not_found', { run: word, folder: runDirs.join(', ') });
    folders.set(path, 'all');
  }
  for (const [path, ids] of folders) {
    const known = new RunsFolder(path).ids();
    const missing = ids === 'all' ? undefined : [...ids].find((id) => !known.includes(id));
    if (missing !== undefined) throw new AppError('run_not_found', { run: missing, folder: path });
  }
  return { folders };
}

/** The ids that a word means in a folder of runs: a run, or the newest runs of a cohort to the database where it was sent last. */
function foundIn(root: RunsFolder, word: string): ReadonlySet<string> | undefined {
  if (root.ids().includes(word)) return new Set([word]);
  const isOfCohort = (run: RunFile): boolean => run.choice.cohort?.name === word;
  const staged = versionsIn(root, isOfCohort);
  // A run that died while it read its file is named, unless a later run has read that file.
  const died = versionsIn(root, isOfCohort, 'never_staged').filter((run) => !replacedBy(run, staged));
  const found = [...newestOf(staged), ...died];
  const [last] = found.toSorted((a, b) => b.turn - a.turn);
  return last && new Set(found.flatMap((run) => (platformOf(run) === platformOf(last) ? run.id : [])));
}

/** The runs of a folder that fit: those that have read their file, or those that have not. Each is open only while it is asked. */
function versionsIn(
  folder: RunsFolder,
  fits: (run: RunFile) => boolean,
  kind: 'staged' | 'never_staged' = 'staged',
): readonly RunVersion[] {
  const versions: RunVersion[] = [];
  for (const listed of folder.list())
    if (listed.header && (listed.state === 'never_staged') === (kind === 'never_staged') && fits(listed.run))
      versions.push(versionOf(listed.run));
  return versions;
}

/** A run, as far as another version of its files replaces it. */
export interface RunVersion extends RunScope {
  readonly id: string;
  /** The places of the files, and all that they are known by. */
  readonly files: readonly string[];
  readonly places: ReadonlySet<string>;
  /** The place in a cohort; undefined for a run of its own. */
  readonly inCohort: string | undefined;
  readonly shard: Shard | undefined;
  readonly turn: number;
}

export function versionOf(run: RunFile): RunVersion {
  const { id, resource, target, database, options, sources } = run.header;
  const { shard } = options.selection;
  const { cohort } = run.choice;
  return {
    id,
    resource,
    target,
    database,
    shard,
    turn: run.turn,
    files: sources.flatMap(({ place }) => place ?? []),
    places: run.history.places(),
    inCohort: cohort && cohortPlace(cohort.name, resource),
  };
}

/** The runs that no run with another version of the same files has replaced. */
function newestOf<Version extends RunVersion>(runs: readonly Version[]): readonly Version[] {
  return runs.filter((run) => replacedBy(run, runs) === undefined);
}

/** The run of another version of all files of a run, or of its place in a cohort, that was taken up after it; undefined without one. */
export function replacedBy(run: RunVersion, runs: readonly RunVersion[]): RunVersion | undefined {
  return runs.find(
    (other) =>
      other.turn > run.turn &&
      other.resource === run.resource &&
      platformOf(other) === platformOf(run) &&
      !areDisjoint(other.shard, run.shard) &&
      ((run.files.length > 0 && run.files.every((file) => other.places.has(file))) ||
        other.places.has(run.inCohort ?? '')),
  );
}

/** The run of another version of the files of a run; undefined without one. */
export function replacementOf(run: RunFile, folder: RunsFolder): RunVersion | undefined {
  return replacedBy(
    versionOf(run),
    versionsIn(folder, () => true),
  );
}

/** The runs of whole folders that a run of another version has replaced, with that run. */
export function replacedRuns(named: NamedRuns): ReadonlyMap<string, string> {
  const replaced = new Map<string, string>();
  for (const [path, ids] of named.folders) {
    if (ids !== 'all') continue;
    const versions = versionsIn(new RunsFolder(path), () => true);
    for (const version of versions) {
      const by = replacedBy(version, versions);
      if (by) replaced.set(version.id, by.id);
    }
  }
  return replaced;
}

/** Says that runs are not counted, and which runs are. */
export function replacedNotes(replaced: ReadonlyMap<string, string>): readonly string[] {
  return [...replaced].map(
    ([id, by]) => `The run ${id} is not counted, because ${by} is the run of a later version of its files.`,
  );
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
