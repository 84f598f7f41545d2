import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { readYaml } from '../../core/yaml/yaml-text.ts';
import { readText } from '../command/typed-file.ts';
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
  const mapping = [`${file}.map.yaml`, `${file.replace(/\.gz$/, '')}.map.yaml`].find((name) =>
    existsSync(join(folder, name)),
  );
  const named =
    mapping === undefined
      ? file.replace(/\.csv(\.gz)?$/, '')
      : resourceIn(readText(mapping, folder), join(shown, mapping));
  return RESOURCES.find((resource) => resource === named);
}

function resourceIn(text: string, mapping: string): unknown {
  const { yaml, problems } = readYaml({ file: mapping, text, schema: 'failsafe' });
  if (!yaml) {
    const [{ reason: what, ...position }] = problems;
    const reason = sentenceOf('mapping_not_yaml', { reason: what });
    throw new AppError('mapping_invalid', { mapping, count: problems.length, reason, ...position });
  }
  const { value } = yaml;
  return value !== null && typeof value === 'object' && 'resource' in value ? value.resource : undefined;
}

const quoted = (file: string): string => (/^[\w.-]+$/.test(file) ? file : `'${file}'`);
