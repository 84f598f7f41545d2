import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import type { OnClose } from '../command-ports.ts';
import type { Shard } from '../push/ports/run.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import { cohortLine, cohortNameOf } from './next-commands.ts';
import type { RunSources } from './sources.ts';

/** Files, and the platform that they were sent to; any platform when left out. `shard`: only its rows are compared. */
type ComparedFiles = Pick<RunSources, 'contentSha256'> & {
  readonly target: string | undefined;
  readonly shard: Shard | undefined;
  /** Whether unfinished runs are taken, too: the runs of a cohort that is not finished. */
  readonly mayBeOpen: boolean;
};

/**
 * The newest finished run of the very content of the files, or all shards that it is one of; none without one. A run to
 * another platform proves nothing, and a retry has only some of the records.
 * @throws AppError `shards_differ` when a shard has no finished run; `run_locked` where an unfinished run may be in use
 */
export function newestRunsOf(
  files: ComparedFiles,
  resource: Resource,
  folder: RunsFolder,
): readonly string[] {
  const { contentSha256, shard: wanted, mayBeOpen } = files;
  let newest: Pick<RunHeader, 'target' | 'options'> | undefined;
  const byIndex = new Map<number, string>();
  for (const { id, state, header } of folder.list({ resource })) {
    if (state === 'in_use' && mayBeOpen) throw new AppError('run_locked', { run: id });
    const isTaken = state === 'done' || (state === 'open' && mayBeOpen);
    if (!isTaken || header.parent !== null || header.resource !== resource) continue;
    const target = files.target ?? newest?.target ?? header.target;
    if (header.contentSha256 !== contentSha256 || header.target !== target) continue;
    const { shard } = header.options.selection ?? {};
    if (wanted && (shard?.index !== wanted.index || shard.count !== wanted.count)) continue;
    if (wanted || (!newest && !shard)) return [id];
    newest ??= header;
    if (shard?.count === newest.options.selection?.shard?.count && !byIndex.has(shard!.index))
      byIndex.set(shard!.index, id);
    // Every further run of the folder would be opened for nothing.
    if (byIndex.size === newest.options.selection?.shard?.count) break;
  }
  const count = newest?.options.selection?.shard?.count ?? 0;
  return Array.from({ length: count }, (_, index) => {
    const id = byIndex.get(index + 1);
    if (id !== undefined) return id;
    const missing = mayBeOpen ? 'no run' : 'no finished run';
    throw new AppError('shards_differ', { reason: `shard ${index + 1} of ${count} has ${missing}` });
  });
}

/**
 * Opens finished runs, and the runs that took records over from them, which have the last word about these records. `mayBeOpen`:
 * unfinished runs are opened, too.
 * @throws AppError `run_not_found`, `run_not_finished`, `run_locked`, `run_damaged`; `usage` for a run of another resource
 */
export function openRunsToCompare(
  ids: readonly string[],
  resource: Resource,
  {
    folder,
    onClose,
    command,
    mayBeOpen = false,
  }: {
    readonly folder: RunsFolder;
    readonly onClose: OnClose;
    readonly command: string;
    readonly mayBeOpen?: boolean;
  },
): readonly RunFile[] {
  const runs = new Map<string, RunFile>();
  const waiting = [...ids];
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    if (runs.has(id)) continue;
    const run = folder.open(id);
    onClose(() => run.close());
    runs.set(id, run);
    if (run.header.resource !== resource) {
      const reason = `the run ${id} has ${run.header.resource}, not ${resource}`;
      throw new AppError('usage', { reason, command });
    }
    const isCompared = run.condition === 'done' || (mayBeOpen && run.isOpen);
    if (!isCompared) {
      const isOfCohort = cohortNameOf(run.header) !== undefined;
      const line = isOfCohort ? cohortLine(run.header) : `resume ${id}`;
      throw new AppError('run_not_finished', { run: id, continue: line });
    }
    run.proving.assertConsistent();
    waiting.push(...run.retrying.takers());
  }
  return [...runs.values()];
}
