import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from '../../src/core/contract/resources.ts';
import { projectRoot } from './source-tree.ts';

/** The folder of the quickstart fixture, a small migration with its seed. */
export const QUICKSTART = join(projectRoot, 'fixtures', 'quickstart');

/** Writes the first rows of a file of the quickstart into a folder and returns the path. Every row is of the supplier ACME. */
export function firstRows(resource: Resource, rows: number, folder: string): string {
  const name = `${resource}.csv`;
  const [header, ...all] = readFileSync(join(QUICKSTART, name), 'utf8').split(/^(?=ACME,)/m);
  if (all.length < rows) throw new Error(`${name} has ${all.length} rows`);
  const path = join(folder, name);
  writeFileSync(path, [header, ...all.slice(0, rows)].join(''));
  return path;
}
