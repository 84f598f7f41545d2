import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import type { OnClose } from '../command-ports.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import type { RunSources } from './sources.ts';

/**
 * The newest finished run of the very content of the files; undefined without one. `target`: the platform of the run, because
 * a rehearsal proves nothing about another platform; any platform when left out. A retry has only some of the records.
 */
export function newestRunOf(
  { contentSha256, target }: Pick<RunSources, 'contentSha256'> & { readonly target: string | undefined },
  resource: Resource,
  folder: RunsFolder,
): string | undefined {
  for (const { id, state, header } of folder.list({ resource }))
    if (
      state === 'done' &&
      header.parent === null &&
      header.resource === resource &&
      header.contentSha256 === contentSha256 &&
      (target === undefined || header.target === target)
    )
      return id;
  return undefined;
}

/**
 * Opens finished runs, and the runs that took records over from them, which have the last word about these records.
 * @throws AppError `run_not_found`, `run_not_finished`, `run_locked`, `run_damaged`; `usage` for a run of another resource
 */
export function openFinishedRuns(
  ids: readonly string[],
  resource: Resource,
  {
    folder,
    onClose,
    command,
  }: { readonly folder: RunsFolder; readonly onClose: OnClose; readonly command: string },
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
    if (run.condition !== 'done') throw new AppError('run_not_finished', { run: id });
    run.proving.assertConsistent();
    waiting.push(...run.retrying.takers());
  }
  return [...runs.values()];
}
