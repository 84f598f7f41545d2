import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { folderUnreadable } from './database/access.ts';
import type { Shard } from '../push/ports/run.ts';
import { withLock } from './database/folder-lock.ts';
import { removeDatabase } from './database/run-database.ts';
import { RunFile, type RunCondition } from './run-file.ts';
import type { NewRunState, RunHeader } from './database/run-header.ts';

const SUFFIX = '.sqlite';
const LEFT_OVER = /^(.*)\.sqlite-\w+$/;

/** One run of a list; `run` stays open until the next run is read. `inaccessible`: it may be whole, and this process cannot read it. */
export type ListedRun =
  | Readonly<{ id: string; state: RunCondition; header: RunHeader; run: RunFile }>
  | Readonly<{ id: string; state: 'in_use'; header?: undefined }>
  | Readonly<{ id: string; state: 'damaged' | 'inaccessible'; error: AppError; header?: undefined }>;

/** The runs that a list has. Default: all. */
export interface WantedRuns {
  readonly ids?: ReadonlySet<string> | undefined;
  /** Whether the runs are read as a whole. Default: false. */
  readonly takesUp?: boolean;
}

/** The folder with the run files, `.dataimport/runs` unless `--run-dir` says otherwise. */
export class RunsFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Ids of all runs, the newest first. @throws AppError `run_folder_unreadable` */
  ids(): readonly string[] {
    return namesIn(this.path)
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => name.slice(0, -SUFFIX.length))
      .sort()
      .reverse();
  }

  /** Whether the folder has runs, or an index of runs that were removed. @throws AppError `run_folder_unreadable` */
  get isKnown(): boolean {
    return this.ids().length > 0 || existsSync(this.historyFile);
  }

  /** Runs `act` while no other process begins a run here. @throws AppError `run_folder_unreadable`, `run_not_writable` */
  alone<T>(act: () => T): T {
    // A problem of the folder is reported before a problem of a file in it.
    this.ids();
    return withLock(join(this.path, 'begin.lock'), act);
  }

  /** All ids, and the ids of runs of which only a journal is left, because SQLite would read it into a new file of that name. */
  private takenIds(): readonly string[] {
    const left = namesIn(this.path).flatMap((name) => LEFT_OVER.exec(name)?.[1] ?? []);
    return [...this.ids(), ...left];
  }

  create(header: RunHeader, state: NewRunState): RunFile {
    return RunFile.create(this.fileOf(header.id), header, state);
  }

  /**
   * Opens a run and checks its whole file, which takes a third of the time of reading it. `isLeft`: whether the run is left as it is, so
   * that what was written with its header is enough.
   * @throws AppError `run_not_found`, `run_locked`, `run_inaccessible`, `run_version_differs`, `run_damaged`
   */
  open(id: string, isLeft: (run: RunFile) => boolean = () => false): RunFile {
    if (!this.ids().includes(id)) throw new AppError('run_not_found', { run: id, folder: this.path });
    return this.opened(id, (run) => !isLeft(run));
  }

  /**
   * Opens a run without checking the whole file. A finished run that still has texts is taken up all the same, because the
   * process that had to erase them may have died.
   */
  private openListed(id: string): RunFile {
    return this.opened(
      id,
      (run) => run.state === 'staged' && run.condition === 'done' && run.hasTextsToErase,
    );
  }

  private opened(id: string, isTakenUp: (run: RunFile) => boolean): RunFile {
    const run = RunFile.open(this.fileOf(id), id);
    try {
      if (!isTakenUp(run)) return run;
      run.assertWhole();
      run.finishErasing();
      return run;
    } catch (error) {
      run.close();
      throw error;
    }
  }

  /**
   * All runs or those of `wanted`, by name, the newest first. Of a run that another process uses, or that cannot be read, only the id is
   * known. Only headers are read, unless the runs are taken up: then each is checked as by `open`.
   */
  *list({ ids, takesUp = false }: WantedRuns = {}): Generator<ListedRun> {
    for (const id of this.ids())
      if (!ids || ids.has(id)) yield* listed(id, () => (takesUp ? this.open(id) : this.openListed(id)));
  }

  /** Removes a run file with its journal. */
  remove(id: string): void {
    removeDatabase(this.fileOf(id));
  }

  /** An id that no run has: time, resource, content and shard, so that a list of files is readable. */
  newId(createdAt: string, resource: Resource, contentSha256: string, shard?: Shard): string {
    const time = createdAt.replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
    const part = shard ? `-${shard.index}of${shard.count}` : '';
    const id = `${time}-${resource}-${contentSha256.slice(0, 4)}${part}`;
    const taken = new Set(this.takenIds());
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? id : `${id}-${number}`;
      if (!taken.has(candidate)) return candidate;
    }
  }

  fileOf(id: string): string {
    return join(this.path, id + SUFFIX);
  }

  /** The index of everything that the runs know (history-index.ts). */
  get historyFile(): string {
    return join(this.path, 'history.index');
  }
}

/** Codes of a run file that cannot be read now, or not by this program, and may be whole. */
const UNREAD: ReadonlySet<string> = new Set(['run_inaccessible', 'run_version_differs', 'run_misnamed']);

/** The names in a folder; none without the folder. @throws AppError `run_folder_unreadable` */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw folderUnreadable(folder, error);
  }
}

/** One run of a list, open until the next one is asked for; none when it is gone by now. */
function* listed(id: string, open: () => RunFile): Generator<ListedRun> {
  try {
    const run = open();
    try {
      yield { id, state: run.condition, header: run.header, run };
    } finally {
      run.close();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'run_locked') yield { id, state: 'in_use' };
    else if (error.code === 'run_damaged') yield { id, state: 'damaged', error };
    else if (UNREAD.has(error.code)) yield { id, state: 'inaccessible', error };
    else if (error.code !== 'run_not_found') throw error;
  }
}
