import { existsSync } from 'node:fs';
import { AppError } from '../../../core/app-error.ts';
import type { RunFile } from '../run-file.ts';
import type { RunsFolder } from '../runs-folder.ts';
import { HistoryIndex, type IndexedRun } from './history-index.ts';

/** The error of a run whose file is gone; undefined for one that has sent nothing. */
export function removedRun(run: IndexedRun, known: HistoryIndex, folder: RunsFolder): AppError | undefined {
  const { id, isLearnt, links, places, target, createdAt } = run;
  const records = known.recordsSent(run);
  if (records === 0 && (isLearnt || links === 0)) return undefined;
  const [file, index] = [folder.fileOf(id), folder.historyFile];
  const sources = places.join(', ') || 'standard input';
  return new AppError('run_removed', { file, index, sources, target, begun: createdAt, records });
}

/** @throws AppError `run_removed` when the index of a folder knows a run that has sent records, and whose file is gone */
export function assertNoneRemoved(folder: RunsFolder): void {
  withIndex(folder, (index) => {
    const ids = folder.ids();
    for (const run of index.runs()) {
      const removed = ids.includes(run.id) ? undefined : removedRun(run, index, folder);
      if (removed) throw removed;
    }
  });
}

/** As `assertCurrent`, without learning what the other runs know. A folder without an index has seen nothing. @throws AppError `run_rolled_back` */
export function assertNewest(run: RunFile, folder: RunsFolder): void {
  withIndex(folder, (index) => assertSeen(run, index, folder));
}

function withIndex(folder: RunsFolder, act: (index: HistoryIndex) => void): void {
  if (!existsSync(folder.historyFile)) return;
  const index = HistoryIndex.open(folder.historyFile);
  try {
    act(index);
  } finally {
    index.close();
  }
}

/** @throws AppError `run_rolled_back` when an index has seen links that a run file lacks */
export function assertSeen(run: RunFile, index: HistoryIndex, folder: RunsFolder): void {
  const { id } = run.header;
  const seen = index.headOf(id);
  if (seen === undefined || seen.links === 0) return;
  if (run.history.linkAt(seen.links) === seen.head) return;
  const { links } = run.history.facts();
  throw new AppError('run_rolled_back', { run: id, file: folder.fileOf(id), links, seen: seen.links });
}
