import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { mappingBeside } from '../../files/data-files.ts';
import { readText } from '../command/typed-file.ts';
import { resourceOfMapping } from '../sources/mapping-resource.ts';
import { EXPECTATION_FILE } from './expectation.ts';

/**
 * The steps of a folder that has no expectation yet: a push of every CSV whose resource is known, from its mapping file
 * or from its name, in the order of a migration. `shown`: the folder as it was typed.
 * @throws AppError `expectation_missing` when there is no such CSV; `mapping_invalid`, `file_not_readable` for a mapping file
 */
export function firstSteps(folder: string, shown: string): readonly string[] {
  const files = readdirSync(folder).filter((name) => /\.csv(\.gz)?$/.test(name));
  const pushes = files.toSorted().flatMap((file) => {
    const resource = resourceOf(file, folder, shown);
    return resource === undefined ? [] : [{ file, resource }];
  });
  if (pushes.length === 0)
    throw new AppError('expectation_missing', { file: join(shown, EXPECTATION_FILE), folder: shown });
  return RESOURCES.flatMap((wanted) =>
    pushes.filter(({ resource }) => resource === wanted).map(({ file }) => `push ${wanted} ${quoted(file)}`),
  );
}

function resourceOf(file: string, folder: string, shown: string): Resource | undefined {
  const mapping = mappingBeside(file, folder);
  const named =
    mapping === undefined
      ? file.replace(/\.csv(\.gz)?$/, '')
      : resourceOfMapping(readText(mapping, folder), join(shown, mapping));
  return RESOURCES.find((resource) => resource === named);
}

const quoted = (file: string): string => (/^[\w.-]+$/.test(file) ? file : `'${file}'`);
