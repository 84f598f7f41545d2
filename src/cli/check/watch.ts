import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Timing } from '../push/ports/timing.ts';

/** Each path with a mark that changes when the file is saved, made or removed. */
export type SavedFiles = ReadonlyMap<string, string>;

/** Time between two looks at the files, in milliseconds. */
const LOOK_EVERY_MS = 300;

/** The present state of files, by names relative to a folder. */
export function savedFiles(names: readonly string[], cwd: string): SavedFiles {
  return new Map(names.map((name) => resolve(cwd, name)).map((path) => [path, markOf(path)]));
}

/**
 * Waits until one of the files is saved, and has not changed any more at the next look, because an editor may write in
 * several steps. The names are looked at, so a file that an editor replaces by another one is noticed, too, on every file
 * system. False when it was stopped first.
 */
export async function nextSave(
  before: SavedFiles,
  { timing, stopping }: { timing: Pick<Timing, 'sleep'>; stopping: AbortSignal },
): Promise<boolean> {
  let latest = stateOf(before);
  for (let look = 0; ; look++) {
    if (stopping.aborted) return false;
    const now = stateOf(new Map([...before.keys()].map((path) => [path, markOf(path)])));
    if (look > 0 && now === latest && now !== stateOf(before)) return true;
    latest = now;
    await timing.sleep(LOOK_EVERY_MS, stopping);
  }
}

const stateOf = (files: SavedFiles): string => [...files].map(([path, mark]) => `${path} ${mark}`).join('\n');

/** Empty for a file that is not there. */
function markOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat ? [stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ') : '';
}
