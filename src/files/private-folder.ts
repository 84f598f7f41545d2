import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Makes a folder, and the missing folders above it, with access for the owner only. One by one, because Node's recursive
 * `mkdir` never returns where a folder cannot be made at all, such as below /proc.
 */
export function makePrivateFolder(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) makePrivateFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The beginning of the names of private folders for the tables of a query, in the folder for temporary files. */
export const QUERY_FOLDER = 'dataimport-query-';

/** The folders of queries, whether or not they are in use. None in a folder that cannot be read: the command that writes there says why. */
export function queryFolders(temporary: string): readonly string[] {
  try {
    const names = readdirSync(temporary, { encoding: 'utf8' });
    return names.filter((name) => name.startsWith(QUERY_FOLDER)).map((name) => join(temporary, name));
  } catch {
    return [];
  }
}
