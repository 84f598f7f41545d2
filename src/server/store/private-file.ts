import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and the missing folders above it, for their owner only. Makes them one by one, because Node's recursive
 * mkdir never returns where no folder can be made, such as below /proc.
 */
export function makePrivateFolder(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) makePrivateFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Makes an empty file and its folder, for their owner only. A file that exists is not opened, because closing it would release
 * the locks that this process has on it. SQLite gives its log files the mode of the database.
 */
export function makePrivateFile(path: string): void {
  if (existsSync(path)) return;
  makePrivateFolder(dirname(path));
  closeSync(openSync(path, 'a', 0o600));
}
