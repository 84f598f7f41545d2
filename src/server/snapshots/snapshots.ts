import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileReason } from '../../core/file-reason.ts';
import { UnfitState } from '../store/backup.ts';
import { IN_MEMORY } from '../store/database.ts';
import { makePrivateFolder } from '../../files/private-folder.ts';

/** States by name. The caller checks names: see `isSnapshotName`. */
export interface Snapshots {
  /** In alphabetical order. */
  names(): readonly string[];
  /** Undefined when there is no snapshot of that name. @throws UnfitState when it cannot be read */
  read(name: string): Uint8Array | undefined;
  /** Writes all of it or nothing, even if the machine stops meanwhile. Replaces a snapshot of the same name. */
  write(name: string, state: Uint8Array): void;
  /** Returns whether there was one. */
  delete(name: string): boolean;
}

/** A name becomes the name of a file, so it contains no path and is the same on every file system. */
export function isSnapshotName(name: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name);
}

/** In a folder beside the database, or in memory as the database. */
export function snapshotsBeside(database: string): Snapshots {
  return database === IN_MEMORY ? snapshotsInMemory() : snapshotsIn(`${database}.snapshots`);
}

function snapshotsInMemory(): Snapshots {
  const states = new Map<string, Uint8Array>();
  return {
    names: () => [...states.keys()].toSorted(),
    read: (name) => states.get(name),
    write: (name, state) => void states.set(name, state),
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
    read: (name) => (isFile(fileOf(name)) ? bytesOf(fileOf(name)) : undefined),
    write: (name, state) => {
      makePrivateFolder(folder);
      const unfinished = `${fileOf(name)}.unfinished`;
      writeFileSync(unfinished, state, { mode: 0o600, flush: true });
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

/** @throws UnfitState */
function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UnfitState(`it cannot be read (${fileReason(error)})`);
  }
}

/** Brings the new name to disk, too, where the system allows it. Windows does not. */
function syncFolder(folder: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
  } catch {
    // The rename is atomic anyway. Only a power cut at this moment could bring the old file back.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
