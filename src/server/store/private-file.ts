import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder } from '../../files/private-folder.ts';

/**
 * Makes an empty file and its folder, for their owner only. A file that exists is not opened, because closing it would release
 * the locks that this process has on it. SQLite gives its log files the mode of the database.
 */
export function makePrivateFile(path: string): void {
  if (existsSync(path)) return;
  makePrivateFolder(dirname(path));
  closeSync(openSync(path, 'a', 0o600));
}
