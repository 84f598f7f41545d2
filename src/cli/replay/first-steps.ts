import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { AppError } from '../../core/app-error.ts';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { EXPECTATION_FILE } from './expectation.ts';

/**
 * The steps of a folder that has no expectation yet: a push of every CSV whose resource is known, from its mapping file
 * or from its own name, in the order in which a migration takes the resources.
 * @throws AppError `expectation_missing` when there is none
 */
export function firstSteps(folder: string, shown: string): readonly string[] {
  const files = readdirSync(folder).filter((name) => /\.csv(\.gz)?$/.test(name));
  const pushes = files.toSorted().flatMap((file) => {
    const resource = resourceOf(folder, file);
    return resource === undefined ? [] : [{ file, resource }];
  });
  if (pushes.length === 0)
    throw new AppError('expectation_missing', { file: join(shown, EXPECTATION_FILE), folder: shown });
  return RESOURCES.flatMap((wanted) =>
    pushes.filter(({ resource }) => resource === wanted).map(({ file }) => `push ${wanted} ${quoted(file)}`),
  );
}

function resourceOf(folder: string, file: string): Resource | undefined {
  const mapping = [`${file}.map.yaml`, `${file.replace(/\.gz$/, '')}.map.yaml`]
    .map((name) => join(folder, name))
    .find((path) => existsSync(path));
  const named: unknown =
    mapping === undefined ? file.replace(/\.csv(\.gz)?$/, '') : resourceIn(readFileSync(mapping, 'utf8'));
  return RESOURCES.find((resource) => resource === named);
}

function resourceIn(mapping: string): unknown {
  const tree: unknown = parse(mapping);
  return tree !== null && typeof tree === 'object' && 'resource' in tree ? tree.resource : undefined;
}

function quoted(file: string): string {
  return /^[\w.-]+$/.test(file) ? file : `'${file}'`;
}
