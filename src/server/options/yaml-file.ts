import { readYaml, type ParsedYaml } from '../../core/yaml/yaml-text.ts';
import { readTextFile } from '../../files/text-file.ts';

/**
 * Reads a file of YAML. JSON is YAML, too. The value of an empty file is null.
 * @throws AppError `file_not_readable`, `file_not_utf8`
 */
export function readYamlFile(file: string): ParsedYaml {
  return readYaml({ file, text: readTextFile(file), schema: 'core' });
}
