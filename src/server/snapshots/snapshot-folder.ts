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
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileReason } from '../../core/file-reason.ts';
import { makePrivateFolder } from '../store/private-folder.ts';
import type { Snapshots } from './snapshots.ts';
import { UnfitState } from './state-text.ts';

const ENDING = '.ndjson';

/** Snapshots as files of one folder, for their owner only. */
export function snapshotFolder(folder: string): Snapshots {
  const fileOf = (name: string) => join(folder, `${name}${ENDING}`);
  return {
    names: () =>
      existsSync(folder)
        ? readdirSync(folder)
            .flatMap((file) => (file.endsWith(ENDING) ? [file.slice(0, -ENDING.length)] : []))
            .filter((name) => isFile(fileOf(name)))
            .toSorted()
        : [],
    read: (name) => (isFile(fileOf(name)) ? textIn(fileOf(name)) : undefined),
    write: (name, text) => {
      makePrivateFolder(folder);
      const unfinished = `${fileOf(name)}.unfinished`;
      writeDurably(unfinished, text);
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

/** Anybody may put something else into the folder. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** @throws UnfitState */
function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UnfitState(`it cannot be read (${fileReason(error)})`);
  }
}

function writeDurably(file: string, text: string): void {
  const descriptor = openSync(file, 'w', 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The new name is on disk, too, where the system can be asked for it; Windows cannot. */
function syncFolder(folder: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
  } catch {
    // The rename is atomic without it; only a power cut right now could bring the old file back.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
