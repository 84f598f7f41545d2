import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory. The campaigns simulate dying processes and no power loss, so memory is enough. */
const MEMORY = '/dev/shm';

/** A new folder for run files, in memory where the system has such a file system. */
export function quickFolder(): string {
  return mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'dataimport-campaign-'));
}
