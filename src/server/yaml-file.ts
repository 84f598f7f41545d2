import type { Path } from '../core/problem.ts';
import { readYaml, type TextPosition } from '../core/yaml/yaml-text.ts';
import { readUtf8File } from './utf8-file.ts';

/** Where in a file something stands. */
export type FilePlace = TextPosition;

/** A file whose YAML can be read. */
export interface YamlFile {
  readonly file: string;
  readonly value: unknown;
  /** Where a value stands, or the key of it; what is not there has the place of the nearest value around it. */
  placeOf(path: Path, what?: 'key' | 'value'): FilePlace;
}

/** A thing that makes YAML unreadable. */
export interface YamlMistake {
  readonly place: FilePlace;
  /** Never the text of a value: it may be a key, or be about a person. */
  readonly reason: string;
}

/** A file as it is written, or all that makes its YAML unreadable. */
export type YamlReading =
  | { readonly yaml: YamlFile; readonly mistakes?: undefined }
  | { readonly yaml?: undefined; readonly mistakes: readonly YamlMistake[] };

/**
 * Reads a file of YAML, or of JSON, which is YAML, too. An empty one is null.
 * @throws AppError `file_not_readable`, `file_not_utf8`
 */
export function readYamlFile(file: string): YamlReading {
  const { yaml, problems } = readYaml({ file, text: readUtf8File(file), schema: 'core' });
  if (!yaml) return { mistakes: problems.map(({ reason, ...place }) => ({ place, reason })) };
  return { yaml: { file, value: yaml.value, placeOf: yaml.positionOf } };
}
