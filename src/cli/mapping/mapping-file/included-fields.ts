import { RESOURCES, type Resource } from '../../../core/contract/resources.ts';
import { failure, type Problem } from '../../../core/problem.ts';
import { suggestion } from '../../../core/suggestion.ts';
import { fieldNames } from '../column.ts';

/** An included file as it looks to a resource: fields of other resources, which it may serve as well, are left out. */
export function withoutForeignFields(value: unknown, resource: Resource): unknown {
  const { fields } = (value ?? {}) as { fields?: unknown };
  if (!isObject(fields)) return value;
  const own = Object.entries(fields).filter(([name]) => fieldNames(resource).includes(name));
  return { ...(value as object), fields: Object.fromEntries(own) };
}

/** Fields of an included file that no resource has: those are typos. */
export function foreignFields(value: unknown): readonly Problem[] {
  const { fields } = (value ?? {}) as { fields?: unknown };
  if (!isObject(fields)) return [];
  const known = [...new Set(RESOURCES.flatMap(fieldNames))];
  return Object.keys(fields)
    .filter((name) => !known.includes(name))
    .map((key) =>
      failure('mapping_key_unknown', ['fields', key], { key, suggestion: suggestion(key, known) }),
    );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
