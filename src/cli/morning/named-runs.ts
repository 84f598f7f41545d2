import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { CommandContext } from '../command/command.ts';
import { readText } from '../command/typed-file.ts';
import { openSourceFile } from '../csv/source-file.ts';
import { readCohort } from '../migrate/read-cohort.ts';
import { History } from '../run-file/history/history.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';
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
 * cohort.
 * @throws AppError `run_none`, `run_not_found`; `source_changed` for a file that no run has read as it is
 */
export async function namedRuns(
  { run: words, fast = false }: { readonly run: readonly string[]; readonly fast?: boolean },
  settings: Settings,
  { io: { cwd }, onClose }: CommandContext,
): Promise<NamedReport> {
  const folder = new RunsFolder(settings.need('runDir'));
  const [word] = words;
  if (words.length === 1 && /\.ya?ml$/i.test(word!))
    return {
      runs: [readCohort(word!, readText(word!, cwd)).name],
      cohort: fast ? undefined : word,
      pushed: [],
    };
  const isNamed = words.every((each) => folder.ids().includes(each) || isFolderOrRun(resolve(cwd, each)));
  if (words.length > 0 && isNamed) return { runs: words, cohort: undefined, pushed: [] };
  const history = History.openKnown(folder);
  onClose(() => history.close());
  const all = history.runs();
  if (word === undefined) {
    const target = settings.get('baseUrl');
    const newest = all.find((run) => run.target === target) ?? all[0];
    if (!newest) throw history.missing(undefined);
    const { cohort, pushed } = fast ? NOTHING : filesOf(folder, newest.id, cwd);
    return { runs: [newest.cohort ?? newest.id], cohort, pushed };
  }
  const ofCohort = words.length === 1 ? all.find((run) => run.cohort === word) : undefined;
  if (ofCohort)
    return { runs: words, cohort: fast ? undefined : filesOf(folder, ofCohort.id, cwd).cohort, pushed: [] };
  const runs: string[] = [];
  const pushed: PushedFiles[] = [];
  for (const file of words)
    if (!existsSync(resolve(cwd, file)) || isFolderOrRun(resolve(cwd, file))) runs.push(file);
    else {
      const found = await runsOfFile(file, { history, folder, cwd });
      // Files of one push are compared once.
      if (!fast && !runs.includes(found[0]!)) pushed.push(...filesOf(folder, found[0]!, cwd).pushed);
      runs.push(...found);
    }
  return { runs: [...new Set(runs)], cohort: undefined, pushed };
}

const isFolderOrRun = (path: string): boolean =>
  path.endsWith('.sqlite') || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const NOTHING = { cohort: undefined, pushed: [] };

/** The cohort file that was typed for a run, or its files if a push has sent them; nothing when they are gone. */
function filesOf(folder: RunsFolder, id: string, cwd: string): Omit<NamedReport, 'runs'> {
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

/** The newest run that has read a file, first, and its other shards. @throws AppError `run_not_found`, `source_changed` */
async function runsOfFile(
  file: string,
  { history, folder, cwd }: { history: History; folder: RunsFolder; cwd: string },
): Promise<readonly string[]> {
  const place = placeOf(file, cwd);
  const found = history.runs().filter(({ places }) => place !== null && places.includes(place));
  const [newest] = found;
  if (!newest) throw new AppError('run_not_found', { run: file, folder: folder.path });
  const source = await openSourceFile(file, cwd);
  await source.close();
  const run = folder.open(newest.id, () => true);
  const known = run.header.sources.some(({ sha256 }) => sha256 === source.fingerprint.sha256);
  run.close();
  if (!known) throw new AppError('source_changed', { file });
  const isPart = newest.shard !== null;
  return isPart ? [...Map.groupBy(found, ({ shard }) => shard)].map(([, runs]) => runs[0]!.id) : [newest.id];
}
