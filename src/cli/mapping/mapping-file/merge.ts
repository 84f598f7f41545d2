import type { Path } from '../../../core/problem.ts';
import type { TextPosition, YamlText } from '../../../core/yaml/yaml-text.ts';

/** A file of a mapping: what it says after its own check, and where it says it. */
export interface MappingPart {
  readonly name: string;
  readonly yaml: YamlText;
  /** Keys and values as the schema made them. */
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * One document of several files, the first before the others: objects are put together key by key, everything else,
 * lists and whole fields among it, is taken from the first file that has it.
 */
export function mergeParts(parts: readonly MappingPart[]): Readonly<Record<string, unknown>> {
  return parts.map(({ value }) => value).reduce((first, second) => merged(first, second, []));
}

function merged(
  first: Readonly<Record<string, unknown>>,
  second: Readonly<Record<string, unknown>>,
  path: Path,
): Readonly<Record<string, unknown>> {
  const both = { ...second, ...first };
  for (const [key, value] of Object.entries(first)) {
    const other = second[key];
    const inner = [...path, key];
    if (isObject(value) && isObject(other) && !isWhole(inner)) both[key] = merged(value, other, inner);
  }
  return both;
}

/** Fields are replaced whole; a half of one and a half of the other would be a field that nobody wrote. */
function isWhole(path: Path): boolean {
  return path[0] === 'fields' && path.length === 2;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The file in which the value at a path of the merged document stands. */
export function partOf(parts: readonly MappingPart[], path: Path): MappingPart {
  let candidates = parts;
  for (let length = 1; length <= path.length; length++) {
    const outer = path.slice(0, length);
    const having = candidates.filter(({ yaml }) => yaml.has(outer));
    if (having.length === 0) break;
    candidates = isWhole(outer) ? having.slice(0, 1) : having;
  }
  return candidates[0]!;
}

/** File and place of the value at a path of the merged document. */
export function placeIn(
  parts: readonly MappingPart[],
  path: Path,
  what: 'key' | 'value' = 'value',
): TextPosition {
  return partOf(parts, path).yaml.positionOf(path, what);
}
