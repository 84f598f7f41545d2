import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { folderUnreadable } from './access.ts';
import { areDisjoint, type Shard } from '../push/ports/run.ts';
import { withLock } from './folder-lock.ts';
import { removeDatabase } from './run-database.ts';
import { RunFile, type RunCondition } from './run-file.ts';
import type { RunHeader } from './run-header.ts';

const SUFFIX = '.sqlite';

/**
 * One run of a list; `run` stays open until the next run is read. `inaccessible`: it may be whole, and this process cannot
 * read it.
 */
export type ListedRun =
  | { readonly id: string; readonly state: RunCondition; readonly header: RunHeader; readonly run: RunFile }
  | { readonly id: string; readonly state: 'in_use'; readonly header?: undefined }
  | {
      readonly id: string;
      readonly state: 'damaged' | 'inaccessible';
      readonly error: AppError;
      readonly header?: undefined;
    };

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

  /** Runs `act` while no other process begins a run here. @throws AppError `run_folder_unreadable`, `run_not_writable` */
  alone<T>(act: () => T): T {
    // A problem of the folder is reported before a problem of a file in it.
    this.ids();
    return withLock(join(this.path, 'begin.lock'), act);
  }

  /** All ids, and the ids of runs whose process died before they were complete, because their names cannot be used again. */
  private takenIds(): readonly string[] {
    const unfinished = `${SUFFIX}-new`;
    const left = namesIn(this.path).filter((name) => name.endsWith(unfinished));
    return [...this.ids(), ...left.map((name) => name.slice(0, -unfinished.length))];
  }

  /** Begins a run. */
  create(header: RunHeader): RunFile {
    return RunFile.create(this.fileOf(header.id), header);
  }

  /** @throws AppError `run_not_found`, `run_locked`, `run_inaccessible`, `run_version_differs`, `run_damaged` */
  open(id: string): RunFile {
    if (!this.ids().includes(id)) throw new AppError('run_not_found', { run: id, folder: this.path });
    const run = RunFile.open(this.fileOf(id), id);
    try {
      run.finishErasing();
      this.eraseTaken(run);
      return run;
    } catch (error) {
      run.close();
      throw error;
    }
  }

  /**
   * Erases the records of a finished retry from the run that it took them from. A retry that was killed after its last
   * answer could not do that.
   */
  private eraseTaken(run: RunFile): void {
    for (const taker of run.retrying.takersWithPayloads()) {
      if (!this.isDone(taker)) continue;
      try {
        run.retrying.eraseGivenTo(taker);
      } catch (error) {
        // The next opening tries again.
        if ((error as AppError).code !== 'run_write_failed') throw error;
      }
    }
  }

  /** Whether a run has nothing left to do. A run that is missing, in use or cannot be read is not known to be done. */
  private isDone(id: string): boolean {
    try {
      const run = RunFile.open(this.fileOf(id), id);
      try {
        return run.condition === 'done';
      } finally {
        run.close();
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return false;
    }
  }

  /**
   * All runs or those of `wanted`, the newest first. Of a run that another process uses, or that cannot be read, only the id is
   * known.
   */
  *list(wanted?: ReadonlySet<string>): Generator<ListedRun> {
    for (const id of this.ids()) {
      if (wanted && !wanted.has(id)) continue;
      try {
        const run = this.open(id);
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
  }

  /**
   * Runs of the same content to the same target, except those that have no account in common with `shard`. A run that another
   * process uses cannot be read, so it is recognised by its id, which ends with the first digits of the hash and the shard.
   */
  *runsOf(
    wanted: Pick<RunHeader, 'resource' | 'contentSha256' | 'target'>,
    shard?: Shard,
  ): Generator<ListedRun> {
    const mark = `-${wanted.resource}-${wanted.contentSha256.slice(0, 4)}`;
    const id = new RegExp(`${mark}(?:-(\\d+)of(\\d+))?(?:-\\d+)?$`);
    for (const listed of this.list()) {
      const { header } = listed;
      if (header) {
        if (isSame(header, wanted) && !areDisjoint(header.options.selection?.shard, shard)) yield listed;
        continue;
      }
      const found = id.exec(listed.id);
      if (found && !areDisjoint(shardIn(found), shard)) yield listed;
    }
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
}

/** Codes of a run file that cannot be read now, or not by this program, and may be whole. */
const UNREAD: ReadonlySet<string> = new Set(['run_inaccessible', 'run_version_differs']);

/** The names in a folder; none without the folder. @throws AppError `run_folder_unreadable` */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw folderUnreadable(folder, error);
  }
}

/** The shard in the id of a run. */
function shardIn([, index, count]: RegExpExecArray): Shard | undefined {
  if (index === undefined || count === undefined) return undefined;
  return { index: Number.parseInt(index, 10), count: Number.parseInt(count, 10) };
}

function isSame(a: Pick<RunHeader, 'resource' | 'contentSha256' | 'target'>, b: typeof a): boolean {
  return a.resource === b.resource && a.contentSha256 === b.contentSha256 && a.target === b.target;
}
