import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const DATA = /\.(csv|tsv|jsonl|ndjson)(\.gz)?$/i;

/** What else an export may be. */
const OTHER = /\.(txt|dat|json|xml|xlsx?|xlsm|ods|zip)$/i;

/** Rejects, which the toolkit writes. */
const OURS = /\.rejects\.csv$/i;

/** A file of a folder. */
export type DataFile = { readonly name: string; readonly bytes: number };

/** The data files of a folder, by name; none for a folder that cannot be listed. */
export function dataFilesOf(folder: string): readonly DataFile[] {
  try {
    return readdirSync(folder)
      .filter((name) => DATA.test(name) && !OURS.test(name))
      .toSorted()
      .flatMap((name) => {
        const found = statSync(join(folder, name));
        return found.isFile() ? [{ name, bytes: found.size }] : [];
      });
  } catch {
    return [];
  }
}

/** Names of files that may be exports, and whose names do not say how they are read. */
export function otherExportsOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => OTHER.test(name))
      .toSorted();
  } catch {
    return [];
  }
}

/** Names of a mapping file beside a source, the first one that exists counts: `x.csv.map.yaml`, also for `x.csv.gz`. */
function mappingNames(source: string): readonly string[] {
  return [source, source.replace(/\.gz$/i, '')].map((stem) => `${stem}.map.yaml`);
}

/** The mapping file beside a source; undefined without one. */
export function mappingBeside(source: string, folder: string): string | undefined {
  return mappingNames(source).find((name) => existsSync(resolve(folder, name)));
}
