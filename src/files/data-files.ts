import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const DATA = /\.(csv|tsv|jsonl|ndjson)(\.gz)?$/i;

/** Rejects and their reasons, which the toolkit writes. */
const OURS = /\.(reasons|rejects)\.csv$/i;

/** The names of the data files of a folder, in order; none for a folder that cannot be listed. */
export function dataFilesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => DATA.test(name) && !OURS.test(name) && statSync(join(folder, name)).isFile())
      .toSorted();
  } catch {
    return [];
  }
}
