import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Memory that looks like a disk: what is simulated here is the process that dies, not the power that fails. */
const MEMORY = '/dev/shm';

/** A new folder for run files, in memory where there is such a place. */
export function quickFolder(): string {
  return mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'dataimport-campaign-'));
}
