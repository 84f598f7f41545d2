import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder } from './private-folder.ts';

/**
 * Makes an empty file, with its folder, readable by its owner only. One that is there is not even opened: to close it
 * again would let go of the locks that this process has on it. SQLite gives its log files the mode of the database.
 */
export function makePrivateFile(path: string): void {
  if (existsSync(path)) return;
  makePrivateFolder(dirname(path));
  closeSync(openSync(path, 'a', 0o600));
}
