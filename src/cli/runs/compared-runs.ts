import { openedRun } from '../ending/opened-run.ts';
import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import type { OnClose } from '../command/command-ports.ts';
import { shardText, type Shard } from '../push/ports/run.ts';
import type { History } from '../run-file/history/history.ts';
import { assertNewest } from '../run-file/history/seen-runs.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { platformOf } from '../run-file/database/run-header.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import { assertNoneMissing } from './merge.ts';
import type { VersionRuns } from './sent-part.ts';
import type { RunSources } from '../sources/sources.ts';

/** Files, and the platform that they were sent to; any platform when left out. `shard`: only its rows are compared. */
type ComparedFiles = Pick<RunSources, 'contentSha256'> &
  Readonly<{ resource: Resource; target: string | undefined; shard: Shard | undefined }>;

/**
 * The newest run of the very content of the files, or all shards that it is one of; none without one.
 * @throws AppError `shards_differ` when a shard has no run; `run_locked` while a run is in use
 */
export function newestRunsOf(files: ComparedFiles, history: History, folder: RunsFolder): readonly string[] {
  const [locked] = history.inUse;
  if (locked !== undefined) throw new AppError('run_locked', { run: locked });
  const wanted = files.shard && shardText(files.shard);
  const runs = history.runs();
  // One platform may have several addresses.
  const platforms = new Set(runs.filter(({ target }) => target === files.target).map(platformOf));
  const found = runs.filter(
    (run) =>
      run.isStaged &&
      run.resource === files.resource &&
      (files.target === undefined || platforms.has(platformOf(run))) &&
      (wanted === undefined || run.shard === wanted) &&
      contentOf(folder, run.id) === files.contentSha256,
  );
  const [newest] = found;
  if (!newest) return [];
  const count = newest.shard?.split('/')[1];
  if (wanted !== undefined || count === undefined) return [newest.id];
  const shards = Array.from({ length: Number.parseInt(count, 10) }, (_, index) => {
    const shard = `${index + 1}/${count}`;
    return found.find((each) => each.shard === shard && platformOf(each) === platformOf(newest))?.id;
  });
  assertNoneMissing(shards.length, (index) => shards[index - 1] !== undefined);
  return shards.flatMap((id) => id ?? []);
}

function contentOf(folder: RunsFolder, id: string): string {
  const run = folder.open(id, () => true);
  try {
    return run.header.contentSha256;
  } finally {
    run.close();
  }
}

/**
 * Opens the runs of a version, and the runs that brought the rest of its records to the platform.
 * @throws AppError `run_not_found`, `run_locked`, `run_damaged`, `run_rolled_back`, `run_never_staged`; `usage` for a run of another resource
 */
export function openRunsToCompare(
  ids: readonly string[],
  resource: Resource,
  { folder, onClose, command }: { folder: RunsFolder; onClose: OnClose; command: string },
): VersionRuns {
  const open = (id: string): RunFile => {
    const run = openedRun(folder, id, { onClose });
    run.proving.assertConsistent();
    assertNewest(run, folder);
    return run;
  };
  const runs = [...new Set(ids)].map((id) => {
    const run = open(id);
    if (run.header.resource !== resource) {
      const reason = `the run ${id} has ${run.header.resource}, not ${resource}`;
      throw new AppError('usage', { reason, command });
    }
    if (run.condition === 'never_staged') throw new AppError('run_never_staged', { run: id });
    return run;
  });
  return { runs, others: othersOf(runs, folder.ids(), open) };
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
