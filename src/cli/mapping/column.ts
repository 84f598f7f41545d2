import * as z from 'zod/mini';
import { accountFields } from '../../core/contract/account.ts';
import { FIELD_FACTS, unwrapped, type FieldKind } from '../../core/contract/field.ts';
import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import { pathOfAttr, type Path } from '../../core/problem.ts';

/** How a cell is read: as a leaf of the contract, or as JSON for a list or an object. */
export type CellKind = FieldKind | 'json';

/** Highest list index that a numbered column may have, so that a typo cannot ask for a million items. */
const MAX_INDEX = 999;

/** The field that a dotted name such as `line_items.0.rate_band` leads to; undefined when the contract has none. */
export function fieldOfName(resource: Resource, name: string): { path: Path; kind: CellKind } | undefined {
  const path = pathOfAttr(name);
  // `line_items.00` would be a second way to write the same column.
  if (path.join('.') !== name) return undefined;
  let schema: z.ZodMiniType = z.strictObject({ ...accountFields, ...shapeOf(resource) });
  for (const part of path) {
    const inner = unwrapped(schema);
    const next =
      inner instanceof z.ZodMiniObject && typeof part === 'string' && Object.hasOwn(inner.shape, part)
        ? (inner.shape[part] as z.ZodMiniType)
        : inner instanceof z.ZodMiniArray && typeof part === 'number' && part <= MAX_INDEX
          ? (inner.def.element as z.ZodMiniType)
          : undefined;
    if (!next) return undefined;
    schema = next;
  }
  return { path, kind: FIELD_FACTS.get(unwrapped(schema))?.kind ?? 'json' };
}

/** Top-level fields of a resource, its account fields first. */
export function fieldNames(resource: Resource): readonly string[] {
  return [...Object.keys(accountFields), ...Object.keys(shapeOf(resource))];
}

/** Fields that every record of the resource needs. */
export function requiredFields(resource: Resource): readonly string[] {
  return Object.entries(shapeOf(resource))
    .filter(([, schema]) => !(schema instanceof z.ZodMiniOptional))
    .map(([name]) => name);
}

function shapeOf(resource: Resource): Readonly<Record<string, z.ZodMiniType>> {
  return (DESCRIPTORS[resource].schema as unknown as z.ZodMiniObject<Record<string, z.ZodMiniType>>).shape;
}
