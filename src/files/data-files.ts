import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const DATA = /\.(csv|tsv|jsonl|ndjson)(\.gz)?$/i;
const OTHER = /\.(txt|dat|json|xml|xlsx?|xlsm|ods|zip)$/i;

/** Rejects, which the toolkit writes. */
const OURS = /\.rejects\.csv$/i;

/** Names of the data files of a folder, by their endings or the mappings beside them; none for a folder that cannot be listed. */
export const dataFilesOf = (folder: string): readonly string[] =>
  namesIn(folder, (name) => isData(name, folder) && !OURS.test(name)).filter((name) =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.isFile(),
  );

const isData = (name: string, folder: string): boolean =>
  DATA.test(name) || mappingBeside(name, folder) !== undefined;

/** Names of files that may be exports, and whose names do not say how they are read. */
export const otherExportsOf = (folder: string): readonly string[] =>
  namesIn(folder, (name) => OTHER.test(name) && !isData(name, folder));

function namesIn(folder: string, isMeant: (name: string) => boolean): readonly string[] {
  try {
    return readdirSync(folder).filter(isMeant).toSorted();
  } catch {
    return [];
  }
}

/** The mapping file beside a source; undefined without one. The first that exists counts: `x.csv.map.yaml`, also for `x.csv.gz`. */
export const mappingBeside = (source: string, folder: string): string | undefined =>
  [source, source.replace(/\.gz$/i, '')]
    .map((stem) => `${stem}.map.yaml`)
    .find((name) => existsSync(resolve(folder, name)));
