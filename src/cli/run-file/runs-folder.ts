import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { RunFile, type RunHeader } from './run-file.ts';

const SUFFIX = '.sqlite';

/** The folder with the run files, `.dataimport/runs` unless `--run-dir` says otherwise. */
export class RunsFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Ids of all runs, the newest first. */
  ids(): readonly string[] {
    if (!existsSync(this.path)) return [];
    const names = readdirSync(this.path).filter((name) => name.endsWith(SUFFIX));
    return names.map((name) => name.slice(0, -SUFFIX.length)).sort().reverse();
  }

  /** Begins a run. */
  create(header: RunHeader): RunFile {
    return RunFile.create(this.fileOf(header.id), header);
  }

  /** @throws AppError `run_not_found`, `run_locked`, `run_damaged` */
  open(id: string): RunFile {
    if (!this.ids().includes(id)) throw new AppError('run_not_found', { run: id, folder: this.path });
    return RunFile.open(this.fileOf(id), id);
  }

  /** Removes a run file with its journal. */
  remove(id: string): void {
    for (const name of [SUFFIX, `${SUFFIX}-wal`, `${SUFFIX}-shm`]) rmSync(join(this.path, id + name), { force: true });
  }

  /** An id that no run has: time, resource and content, so that a list of files tells what they are. */
  newId(createdAt: string, resource: Resource, contentSha256: string): string {
    const time = createdAt.replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
    const id = `${time}-${resource}-${contentSha256.slice(0, 4)}`;
    const taken = this.ids().filter((other) => other === id || other.startsWith(`${id}-`)).length;
    return taken === 0 ? id : `${id}-${taken + 1}`;
  }

  fileOf(id: string): string {
    return join(this.path, id + SUFFIX);
  }
}
