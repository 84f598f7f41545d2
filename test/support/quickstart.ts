import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from '../../src/core/contract/resources.ts';
import { projectRoot } from './source-tree.ts';

/** The folder of the quickstart fixture, a small migration with its seed. */
export const QUICKSTART = join(projectRoot, 'fixtures', 'quickstart');

/** Writes the first rows of a file of the quickstart into a folder and returns the path. */
export function firstRows(resource: Resource, rows: number, folder: string): string {
  const { header, all } = rowsOf(resource);
  if (all.length < rows) throw new Error(`${resource}.csv has ${all.length} rows`);
  return written(resource, [header, ...all.slice(0, rows)], folder);
}

/** The same with the first rows of each account. */
export function firstRowsOfAccounts(resource: Resource, rows: number, folder: string): string {
  const { header, all } = rowsOf(resource);
  const seen = new Map<string, number>();
  const few = all.filter((row) => {
    const account = row.split(',', 2)[1]!;
    seen.set(account, (seen.get(account) ?? 0) + 1);
    return seen.get(account)! <= rows;
  });
  return written(resource, [header, ...few], folder);
}

/** Every row is of the supplier ACME. */
function rowsOf(resource: Resource) {
  const text = readFileSync(join(QUICKSTART, `${resource}.csv`), 'utf8');
  const [header, ...all] = text.split(/^(?=ACME,)/m);
  return { header: header!, all };
}

function written(resource: Resource, rows: readonly string[], folder: string): string {
  const path = join(folder, `${resource}.csv`);
  writeFileSync(path, rows.join(''));
  return path;
}
