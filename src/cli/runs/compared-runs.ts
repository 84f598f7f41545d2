import { openedRun } from '../ending/opened-run.ts';
import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import type { OnClose } from '../command/command-ports.ts';
import { shardText, type Shard } from '../push/ports/run.ts';
import { assertNewest } from '../run-file/history/seen-runs.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { platformOf, type RunHeader } from '../run-file/database/run-header.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import type { KnownFolder, RunPlace } from './run-folders.ts';
import { assertComplete, assertOnce } from './shards.ts';
import type { VersionRuns } from './sent-part.ts';
import type { RunSources } from '../sources/sources.ts';

/** Files, and the platform that they were sent to; any platform when left out. `shard`: only its rows are compared. */
type ComparedFiles = Pick<RunSources, 'contentSha256'> &
  Readonly<{ resource: Resource; target: string | undefined; shard: Shard | undefined }>;

/**
 * The newest run of the very content of the files, or all shards that it is one of, each in one of the folders; none without one.
 * @throws AppError `shards_differ` when a shard has no run, or runs in two folders; `usage` for a file that two folders have; `run_locked`
 *   while a run is in use
 */
export function newestRunsOf(
  files: ComparedFiles,
  known: readonly KnownFolder[],
  command: string,
): readonly RunPlace[] {
  const [locked] = known.flatMap(({ history }) => [...history.inUse]);
  if (locked !== undefined) throw new AppError('run_locked', { run: locked });
  const wanted = files.shard && shardText(files.shard);
  const all = known.flatMap(({ folder, history }) => history.runs().map((run) => ({ folder, run })));
  // One platform may have several addresses.
  const platforms = new Set(all.flatMap(({ run }) => (run.target === files.target ? platformOf(run) : [])));
  const found = all.filter(
    ({ run }) =>
      run.isStaged &&
      run.resource === files.resource &&
      (files.target === undefined || platforms.has(platformOf(run))) &&
      (wanted === undefined || run.shard === wanted),
  );
  const strangers: RunHeader[] = [];
  const chosen: (RunPlace & { readonly header: RunHeader })[] = [];
  for (const { folder, run } of found) {
    const header = headerOf(folder, run.id);
    const [first] = chosen;
    const isOfVersion =
      header.contentSha256 === files.contentSha256 &&
      (!first ||
        (platformOf(header) === platformOf(first.header) && countOf(header) === countOf(first.header)));
    // Of one folder the newest run of a shard counts.
    const isNewest = chosen.every(
      (each) => each.folder !== folder || indexOf(each.header) !== indexOf(header),
    );
    if (!isOfVersion) strangers.push(header);
    if (!isOfVersion || !isNewest) continue;
    assertOnce(
      chosen.map((each) => each.header),
      header,
      command,
    );
    chosen.push({ folder, id: run.id, header });
  }
  if (wanted === undefined) assertComplete(chosen, strangers);
  return chosen.toSorted((a, b) => (indexOf(a.header) ?? 0) - (indexOf(b.header) ?? 0));
}

const indexOf = ({ options }: RunHeader): number | undefined => options.selection.shard?.index;
const countOf = ({ options }: RunHeader): number | undefined => options.selection.shard?.count;

/** The header of a run that is left as it is. */
export function headerOf(folder: RunsFolder, id: string): RunHeader {
  const run = folder.open(id, () => true);
  try {
    return run.header;
  } finally {
    run.close();
  }
}

/** The runs of a version that are open, and the folder of each. */
export type OpenVersion = VersionRuns & { readonly folderOf: ReadonlyMap<RunFile, RunsFolder> };

/**
 * Opens the runs of a version, and the runs of their folders that brought the rest of its records to the platform.
 * @throws AppError `run_not_found`, `run_locked`, `run_damaged`, `run_rolled_back`, `run_never_staged`; `usage` for a run of another resource
 */
export function openRunsToCompare(
  places: readonly RunPlace[],
  resource: Resource,
  { onClose, command }: { onClose: OnClose; command: string },
): OpenVersion {
  const open = (folder: RunsFolder, id: string): RunFile => {
    const run = openedRun(folder, id, { onClose });
    run.proving.assertConsistent();
    assertNewest(run, folder);
    return run;
  };
  const folderOf = new Map<RunFile, RunsFolder>();
  for (const { folder, id } of places) {
    const run = open(folder, id);
    folderOf.set(run, folder);
    if (run.header.resource !== resource) {
      const reason = `the run ${id} has ${run.header.resource}, not ${resource}`;
      throw new AppError('usage', { reason, command });
    }
    if (run.condition === 'never_staged') throw new AppError('run_never_staged', { run: id });
  }
  const runs = [...folderOf.keys()];
  const others = [...new Set(folderOf.values())].flatMap((folder) => [
    ...othersOf(
      runs.filter((run) => folderOf.get(run) === folder),
      folder.ids(),
      (id) => open(folder, id),
    ),
  ]);
  return { runs, others: new Map(others), folderOf };
}

/**
 * The runs that brought the rest of the records of some runs to the platform, and the runs that those name. A run that is missing is left
 * out: it proves nothing.
 */
export function othersOf(
  runs: readonly RunFile[],
  known: readonly string[],
  open: (id: string) => RunFile,
): VersionRuns['others'] {
  const own = new Map(runs.map((run) => [run.header.id, run]));
  const found = new Map<string, RunFile>();
  const left = [...runs];
  for (let run = left.shift(); run; run = left.shift())
    for (const id of run.proving.runsBefore()) {
      if (found.has(id) || !known.includes(id)) continue;
      const other = own.get(id) ?? open(id);
      found.set(id, other);
      left.push(other);
    }
  return found;
}
