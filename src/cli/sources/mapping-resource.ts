import { AppError } from '../../core/app-error.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { readYaml } from '../../core/yaml/yaml-text.ts';

/** What a mapping file says that its resource is, whether or not it can be used. @throws AppError `mapping_invalid` when it is no YAML */
export function resourceOfMapping(text: string, mapping: string): unknown {
  const { yaml, problems } = readYaml({ file: mapping, text, schema: 'failsafe' });
  if (!yaml) {
    const [{ reason: what, ...position }] = problems;
    const reason = sentenceOf('mapping_value_invalid', { expected: `readable YAML: ${what}` });
    throw new AppError('mapping_invalid', { mapping, count: problems.length, reason, ...position });
  }
  const { value } = yaml;
  return value !== null && typeof value === 'object' && 'resource' in value ? value.resource : undefined;
}
