import { RESOURCES, type Descriptors, type Resource } from '../../../core/contract/resources.ts';
import { failure, type Path, type Problem } from '../../../core/problem.ts';
import { suggestion } from '../../../core/suggestion.ts';
import type { TextPosition, YamlText } from '../../../core/yaml/yaml-text.ts';
import { fieldNames } from '../language/fields.ts';

/** One file of a mapping, after its own check. */
export interface MappingPart {
  readonly name: string;
  readonly yaml: YamlText;
  /** Keys and values as the schema made them. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** Lists of rules. Rules of several files hold together, because a rule that is dropped lets rows pass that it refuses. */
const JOINED_LISTS: readonly string[] = ['filter'];

/**
 * One document of several files, the first before the others. Objects are merged key by key, and lists of rules are joined.
 * Everything else, other lists and whole fields included, is taken from the first file that has it.
 */
export function mergeParts(parts: readonly MappingPart[]): Readonly<Record<string, unknown>> {
  const both = parts.map(({ value }) => value).reduce((first, second) => merged(first, second, []));
  const joined = Object.keys(both).filter((key) => JOINED_LISTS.includes(key));
  return {
    ...both,
    ...Object.fromEntries(joined.map((key) => [key, rulesOf(parts, key).map(({ rule }) => rule)])),
  };
}

/** The rules of a joined list, each with its place. The entry `replace: true` leaves out the files behind its own. */
function rulesOf(
  parts: readonly MappingPart[],
  key: string,
): readonly { rule: unknown; part: MappingPart; index: number }[] {
  const lists = parts.map(({ value }) => (value[key] ?? []) as readonly unknown[]);
  const last = lists.findIndex((list) => list.some(isReplacing));
  return parts
    .slice(0, last < 0 ? parts.length : last + 1)
    .flatMap((part, at) => lists[at]!.map((rule, index) => ({ rule, part, index })))
    .filter(({ rule }) => !isReplacing(rule));
}

const isReplacing = (rule: unknown): boolean => isObject(rule) && 'replace' in rule;

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

/** Fields are replaced whole. Half of one field and half of another would be a field that nobody wrote. */
const isWhole = (path: Path): boolean => path[0] === 'fields' && path.length === 2;

/** The file that has the value at a path of the merged document. */
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

/** File and position of the value at a path of the merged document. */
export function positionIn(parts: readonly MappingPart[], path: Path): TextPosition {
  const [key, at, ...inner] = path;
  if (typeof key === 'string' && typeof at === 'number' && JOINED_LISTS.includes(key)) {
    const rule = rulesOf(parts, key)[at];
    if (rule) return rule.part.yaml.positionOf([key, rule.index, ...inner]);
  }
  return partOf(parts, path).yaml.positionOf(path);
}

/** An included file without the fields of other resources, because one file may serve several of them. */
export function withoutForeignFields(value: unknown, resource: Resource, descriptors: Descriptors): unknown {
  const fields = fieldsIn(value);
  if (!fields) return value;
  const own = Object.entries(fields).filter(([name]) => fieldNames(resource, descriptors).includes(name));
  return { ...(value as object), fields: Object.fromEntries(own) };
}

/** The problems of fields of an included file that no resource has. Such fields are typos. */
export function unknownFields(value: unknown, descriptors: Descriptors): readonly Problem[] {
  const known = [...new Set(RESOURCES.flatMap((resource) => fieldNames(resource, descriptors)))];
  return Object.keys(fieldsIn(value) ?? {})
    .filter((name) => !known.includes(name))
    .map((key) =>
      failure('mapping_key_unknown', ['fields', key], { key, suggestion: suggestion(key, known) }),
    );
}

function fieldsIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const fields = isObject(value) ? value['fields'] : undefined;
  return isObject(fields) ? fields : undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
