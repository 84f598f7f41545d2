import { readFileSync } from 'node:fs';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import type { Path } from '../../core/problem.ts';
import { utf8Text } from '../../core/utf8-text.ts';
import { readYaml, type TextPlace } from '../../core/yaml/yaml-text.ts';

/** A line and a column of a file. */
export interface FilePosition extends TextPlace {
  readonly file: string;
}

/** A file with readable YAML. */
export interface YamlFile {
  readonly file: string;
  readonly value: unknown;
  /** Position of a value, or of its key. A missing value has the position of the nearest value around it. */
  positionOf(path: Path, what?: 'key' | 'value'): FilePosition;
}

/** A problem in a document that a person wrote: a seed, a fault plan. */
export interface DocumentProblem {
  readonly position: FilePosition;
  /** Never contains a value of the document: a value may be an API key, or be about a person. */
  readonly reason: string;
}

/** The parsed file, or the problems that make its YAML unreadable. */
export type ParsedYamlFile =
  | { readonly yaml: YamlFile; readonly problems?: undefined }
  | { readonly yaml?: undefined; readonly problems: readonly DocumentProblem[] };

/**
 * Reads a file of YAML. JSON is YAML, too. The value of an empty file is null.
 * @throws AppError `file_not_readable`, `file_not_utf8`
 */
export function readYamlFile(file: string): ParsedYamlFile {
  const { yaml, mistakes } = readYaml(utf8Text(bytesOf(file), file), 'core');
  if (!yaml)
    return {
      problems: mistakes.map(({ reason, ...position }) => ({ position: { file, ...position }, reason })),
    };
  return { yaml: { file, value: yaml.value, positionOf: (...at) => ({ file, ...yaml.placeOf(...at) }) } };
}

function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new AppError('file_not_readable', { file, reason: fileReason(error) }, error);
  }
}
