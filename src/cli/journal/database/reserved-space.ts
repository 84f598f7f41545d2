import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Enough for the last pages that a command writes. */
const RESERVED_BYTES = 32 * 1024;

/** Space on a disk that nobody else gets. */
export interface ReservedSpace {
  /** Gives the space back, once. */
  release(): void;
}

/**
 * Reserves space on the disk of a folder, so that a command can still record how it ended when the disk is full. On a disk that is full
 * already it reserves nothing.
 */
export function reserveSpace(folder: string): ReservedSpace {
  let handle: number | undefined;
  const path = join(folder, `reserved-${randomUUID()}`);
  try {
    handle = openSync(path, 'wx', 0o600);
    // Without a name the file goes away with the process, even if that is killed.
    rmSync(path);
    // A file system may pack other bytes.
    writeSync(handle, randomBytes(RESERVED_BYTES));
  } catch {
    // The command works without it.
  }
  return {
    release() {
      if (handle !== undefined) closeSync(handle);
      handle = undefined;
    },
  };
}
