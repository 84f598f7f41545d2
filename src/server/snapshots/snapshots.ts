import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { preciseInstantOfClock, type Instant } from '../../core/values/instant.ts';
import { IN_MEMORY } from '../store/database.ts';
import { makePrivateFile } from '../store/private-file.ts';
import type { Store } from '../store/store.ts';

export interface Snapshot {
  readonly name: string;
  readonly bytes: number;
  /** By the clock of the machine. */
  readonly written_at: Instant;
}

/** A name becomes the name of a file, so it contains no path and is the same on every file system. */
export const isSnapshotName = (name: string): boolean => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name);

/**
 * States of the store by name, in a folder beside the database, or in memory as the database. The caller checks names: see
 * `isSnapshotName`.
 * @param nowMs the clock of the machine
 */
export function snapshotsOf(store: Store, database: string, nowMs: () => number) {
  return database === IN_MEMORY
    ? snapshotsInMemory(store, nowMs)
    : snapshotsIn(`${database}.snapshots`, store);
}

function snapshotsInMemory(store: Store, nowMs: () => number) {
  const saved = new Map<string, { readonly state: Buffer; readonly shown: Snapshot }>();
  return {
    /** In alphabetical order of their names. */
    all: () => [...saved.keys()].toSorted().map((name) => saved.get(name)!.shown),
    /** Saves all that is stored, or nothing. Replaces a snapshot of the same name. */
    save: (name: string): Snapshot => {
      const state = store.copy();
      const shown = { name, bytes: state.length, written_at: preciseInstantOfClock(nowMs()) };
      saved.set(name, { state, shown });
      return shown;
    },
    /** The path or the bytes of the state; undefined when there is no snapshot of the name. */
    state: (name: string): Buffer | string | undefined => saved.get(name)?.state,
    /** Returns whether there was one. */
    delete: (name: string) => saved.delete(name),
  };
}

const ENDING = '.sqlite';

/** Files of one folder, for their owner only. */
function snapshotsIn(folder: string, store: Store): ReturnType<typeof snapshotsInMemory> {
  const fileOf = (name: string) => join(folder, `${name}${ENDING}`);
  // Other programs may put anything into the folder.
  const names = () =>
    (existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [])
      .filter((entry) => entry.isFile() && entry.name.endsWith(ENDING))
      .map((entry) => entry.name.slice(0, -ENDING.length));
  const shown = (name: string): Snapshot => {
    const { size, mtimeMs } = statSync(fileOf(name));
    return { name, bytes: size, written_at: preciseInstantOfClock(mtimeMs) };
  };
  return {
    all: () => names().toSorted().map(shown),
    save: (name) => {
      const unfinished = `${fileOf(name)}.unfinished`;
      rmSync(unfinished, { force: true });
      makePrivateFile(unfinished);
      store.backup(unfinished);
      renameSync(unfinished, fileOf(name));
      return shown(name);
    },
    state: (name) => (names().includes(name) ? fileOf(name) : undefined),
    delete: (name) => {
      const isThere = names().includes(name);
      if (isThere) rmSync(fileOf(name));
      return isThere;
    },
  };
}
