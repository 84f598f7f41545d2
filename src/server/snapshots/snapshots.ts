import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileReason } from '../../core/file-reason.ts';
import { headOf, UnfitState, type StateHead } from '../store/backup.ts';
import { IN_MEMORY } from '../store/database.ts';
import { makePrivateFile } from '../store/private-file.ts';
import { newStateFile } from '../store/state-file.ts';

/** States by name. The caller checks names: see `isSnapshotName`. */
export interface Snapshots {
  /** In alphabetical order. */
  names(): readonly string[];
  show(name: string): Snapshot;
  /** Copies a snapshot into a new file. False when there is no snapshot of that name. @throws UnfitState when it cannot be read */
  copy(name: string, file: string): boolean;
  /**
   * Saves the state that `write` writes into the file it is given. Saves all of it or nothing, even if the machine stops
   * meanwhile. Replaces a snapshot of the same name.
   */
  save(name: string, write: (file: string) => void): void;
  /** Returns whether there was one. */
  delete(name: string): boolean;
}

export interface Snapshot {
  /** 0 when it cannot be read. */
  readonly bytes: number;
  /** Undefined when it is damaged. */
  readonly head: StateHead | undefined;
}

/** A name becomes the name of a file, so it contains no path and is the same on every file system. */
export const isSnapshotName = (name: string): boolean => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name);

/** In a folder beside the database, or in memory as the database. */
export function snapshotsBeside(database: string): Snapshots {
  return database === IN_MEMORY ? snapshotsInMemory() : snapshotsIn(`${database}.snapshots`);
}

function snapshotsInMemory(): Snapshots {
  const states = new Map<string, Buffer>();
  return {
    names: () => [...states.keys()].toSorted(),
    show: (name) => {
      const state = states.get(name) ?? Buffer.alloc(0);
      return { bytes: state.length, head: headOf(state) };
    },
    copy: (name, file) => {
      const state = states.get(name);
      if (state) writeFileSync(file, state, { mode: 0o600 });
      return state !== undefined;
    },
    save: (name, write) => {
      const file = newStateFile(IN_MEMORY);
      try {
        write(file.path);
        states.set(name, readFileSync(file.path));
      } finally {
        file.remove();
      }
    },
    delete: (name) => states.delete(name),
  };
}

const ENDING = '.sqlite';

/** Files of one folder, for their owner only. */
function snapshotsIn(folder: string): Snapshots {
  const fileOf = (name: string) => join(folder, `${name}${ENDING}`);
  return {
    names: () =>
      (existsSync(folder) ? readdirSync(folder) : [])
        .flatMap((file) => (file.endsWith(ENDING) ? [file.slice(0, -ENDING.length)] : []))
        .filter((name) => isFile(fileOf(name)))
        .toSorted(),
    show: (name) => ({
      bytes: statSync(fileOf(name), { throwIfNoEntry: false })?.size ?? 0,
      head: headOf(fileOf(name)),
    }),
    copy: (name, file) => {
      if (!isFile(fileOf(name))) return false;
      try {
        // Of a file that says it is empty, copying reads nothing.
        withOpen(fileOf(name), 'r', (descriptor) => readSync(descriptor, Buffer.alloc(1)));
        copyFileSync(fileOf(name), file);
        return true;
      } catch (error) {
        throw new UnfitState(`it cannot be read (${fileReason(error)})`);
      }
    },
    save: (name, write) => {
      const unfinished = `${fileOf(name)}.unfinished`;
      rmSync(unfinished, { force: true });
      makePrivateFile(unfinished);
      write(unfinished);
      withOpen(unfinished, 'r+', fsyncSync);
      renameSync(unfinished, fileOf(name));
      syncFolder(folder);
    },
    delete: (name) => {
      const existed = isFile(fileOf(name));
      if (existed) rmSync(fileOf(name), { force: true });
      return existed;
    },
  };
}

/** Other programs may put anything into the folder. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function withOpen(path: string, mode: string, use: (descriptor: number) => void): void {
  const descriptor = openSync(path, mode);
  try {
    use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Brings the new name to disk, too, where the system allows it. Windows does not. */
function syncFolder(folder: string): void {
  try {
    withOpen(folder, 'r', fsyncSync);
  } catch {
    // The rename is atomic anyway. Only a power cut at this moment could bring the old file back.
  }
}
