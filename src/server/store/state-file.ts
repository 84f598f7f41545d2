import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { IN_MEMORY } from './database.ts';

/** The file of a state that arrives, leaves or is restored. */
export interface StateFile {
  /** In a folder of its own, for its owner only. The file does not exist yet. */
  readonly path: string;
  /** Removes the file. */
  remove(): void;
}

/** Six random characters follow. */
const UNFINISHED = '.unfinished-';

/** Beside the database, because there is room for it. The temporary folder for a database in memory. */
export function newStateFile(database: string): StateFile {
  const place = database === IN_MEMORY ? join(tmpdir(), 'dataimport') : database;
  const folder = mkdtempSync(place + UNFINISHED);
  return {
    path: join(folder, 'state.sqlite'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Removes the files that a killed server left beside its database. Only the server that holds the database may do so. */
export function removeStateFiles(database: string): void {
  if (database === IN_MEMORY) return;
  const begin = basename(database) + UNFINISHED;
  for (const entry of readdirSync(dirname(database), { withFileTypes: true }))
    if (entry.isDirectory() && entry.name.startsWith(begin) && entry.name.length === begin.length + 6)
      rmSync(join(dirname(database), entry.name), { recursive: true, force: true });
}
