import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { CommandContext } from '../command/command.ts';
import { readText } from '../command/typed-file.ts';
import { openSourceFile } from '../csv/source-file.ts';
import { readCohort } from '../migrate/read-cohort.ts';
import type { IndexedRun } from '../run-file/history/history-index.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import { headerOf, newestRunsOf } from '../runs/compared-runs.ts';
import {
  knownFolders,
  pathsOf,
  runsFolders,
  type KnownFolder,
  type RunDirFlag,
} from '../runs/run-folders.ts';
import type { Settings } from '../settings/settings.ts';
import { placeOf } from '../sources/version.ts';
import type { PushedFiles } from './sent-files.ts';

/** The runs that a report is about, in its own words, and the files that are compared with them: of a cohort file, or of pushes. */
export interface NamedReport {
  readonly runs: readonly string[];
  readonly cohort: string | undefined;
  /** One run of each push; its shards are compared as one whole. */
  readonly pushed: readonly PushedFiles[];
}

/**
 * Finds the runs of a cohort file, of the name of a cohort, and of files that were sent. Without words the newest run is taken, with its
 * cohort or its other shards.
 * @throws AppError `run_none`, `run_not_found`, `shards_differ`; `source_changed` for a file that no run has read as it is
 */
export async function namedRuns(
  { run: words, runDir }: RunDirFlag & { readonly run: readonly string[] },
  settings: Settings,
  context: CommandContext,
): Promise<NamedReport> {
  const { cwd } = context.io;
  const folders = runsFolders({ runDir }, settings, cwd);
  const [word] = words;
  if (words.length === 1 && /\.ya?ml$/i.test(word!))
    return {
      runs: [readCohort(word!, readText(word!, cwd)).name],
      cohort: word,
      pushed: [],
    };
  const isNamed = words.every(
    (each) => folders.some((folder) => folder.ids().includes(each)) || isFolderOrRun(resolve(cwd, each)),
  );
  if (words.length > 0 && isNamed) return { runs: words, cohort: undefined, pushed: [] };
  const known = knownFolders(folders, context);
  if (known.length === 0) throw new AppError('run_none', { folder: pathsOf(folders) });
  const all = known.flatMap(({ folder, history }) => history.runs().map((run) => ({ ...run, folder })));
  if (word === undefined) {
    const target = settings.get('baseUrl');
    const newest = all.find((run) => run.target === target) ?? all[0];
    if (!newest) throw known[0]!.history.missing(undefined);
    const { cohort, pushed } = filesOf(newest, cwd);
    const runs = newest.cohort === null ? runsOfVersion(newest, known) : [newest.cohort];
    return { runs, cohort, pushed };
  }
  const ofCohort = words.length === 1 ? all.find((run) => run.cohort === word) : undefined;
  if (ofCohort) return { runs: words, cohort: filesOf(ofCohort, cwd).cohort, pushed: [] };
  const runs: string[] = [];
  const pushed: PushedFiles[] = [];
  for (const file of words)
    if (!existsSync(resolve(cwd, file)) || isFolderOrRun(resolve(cwd, file))) runs.push(file);
    else {
      const place = placeOf(file, cwd);
      const newest = all.find(({ places }) => place !== null && places.includes(place));
      if (!newest) throw new AppError('run_not_found', { run: file, folder: pathsOf(folders) });
      await assertRead(file, newest, cwd);
      const found = runsOfVersion(newest, known);
      // Files of one push are compared once.
      if (!runs.includes(found[0]!)) pushed.push(...filesOf(newest, cwd).pushed);
      runs.push(...found);
    }
  return { runs: [...new Set(runs)], cohort: undefined, pushed };
}

/** A run that the history of a folder knows. */
type FoundRun = IndexedRun & { readonly folder: RunsFolder };

/** The ids of a run and, where it is a shard, of the other shards in all folders. */
function runsOfVersion(
  { id, folder, resource, target, isStaged }: FoundRun,
  known: readonly KnownFolder[],
): readonly string[] {
  if (!isStaged) return [id];
  const { contentSha256 } = headerOf(folder, id);
  const files = { contentSha256, resource, target, shard: undefined };
  return newestRunsOf(files, known, 'report').map((run) => run.id);
}

const isFolderOrRun = (path: string): boolean =>
  path.endsWith('.sqlite') || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const NOTHING = { cohort: undefined, pushed: [] };

/** The cohort file that was typed for a run, or its files if a push has sent them; nothing when they are gone. */
function filesOf({ folder, id }: FoundRun, cwd: string): Omit<NamedReport, 'runs'> {
  const run = folder.open(id, () => true);
  try {
    const { resource, sources } = run.header;
    const { cohort, words } = run.choice;
    const isThere = (file: string): boolean => existsSync(resolve(cwd, file));
    if (cohort) return { cohort: isThere(cohort.file) ? cohort.file : undefined, pushed: [] };
    const areThere = sources.every(({ name, place }) => place !== null && isThere(name));
    return areThere && words.includes('push')
      ? { cohort: undefined, pushed: [{ id, resource, sources, words }] }
      : NOTHING;
  } finally {
    run.close();
  }
}

/** @throws AppError `source_changed` for a file whose bytes a run has not read */
async function assertRead(file: string, { folder, id }: FoundRun, cwd: string): Promise<void> {
  const source = await openSourceFile(file, cwd);
  await source.close();
  const { sources } = headerOf(folder, id);
  if (!sources.some(({ sha256 }) => sha256 === source.fingerprint.sha256))
    throw new AppError('source_changed', { file });
}
