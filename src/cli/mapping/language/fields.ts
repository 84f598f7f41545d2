import * as z from 'zod/mini';
import { accountFields } from '../../../core/contract/account.ts';
import { FIELD_FACTS, unwrapped, type FieldFacts, type FieldKind } from '../../../core/contract/field.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../../core/contract/resources.ts';
import { pathOfAttr, type Path } from '../../../core/problem.ts';

/** A field of the interface that has one value. */
export interface LeafShape {
  readonly kind: 'leaf';
  readonly facts: FieldFacts;
  readonly schema: z.ZodMiniType;
  readonly isRequired: boolean;
}

/** A field of the interface that has a list. */
export interface ListShape {
  readonly kind: 'list';
  readonly item: LeafShape | ObjectShape;
  readonly isRequired: boolean;
}

/** The fields of a record, or of an item of a list. */
export interface ObjectShape {
  readonly kind: 'object';
  readonly fields: Readonly<Record<string, FieldShape>>;
}

export type FieldShape = LeafShape | ListShape;

/** How a cell is read: as a single value, or as JSON for a list or an object. */
export type CellKind = FieldKind | 'json';

/** All fields of a resource. The fields of its account come first. */
export function recordShape(resource: Resource): ObjectShape {
  return SHAPES.get(resource)!;
}

const SHAPES = new Map(
  RESOURCES.map((resource) => {
    const { shape } = DESCRIPTORS[resource].schema;
    return [resource, objectShape({ ...accountFields, ...shape })];
  }),
);

function objectShape(shape: Readonly<Record<string, z.core.$ZodType>>): ObjectShape {
  const fields = Object.entries(shape).map(
    ([name, schema]) => [name, fieldShape(schema as z.ZodMiniType)] as const,
  );
  return { kind: 'object', fields: Object.fromEntries(fields) };
}

function fieldShape(schema: z.ZodMiniType): FieldShape {
  const isRequired = !(schema instanceof z.ZodMiniOptional);
  const inner = unwrapped(schema);
  const facts = FIELD_FACTS.get(inner);
  if (facts) return { kind: 'leaf', facts, schema: inner, isRequired };
  if (!(inner instanceof z.ZodMiniArray))
    throw new TypeError('a field of the interface is neither a value nor a list');
  const element = unwrapped(inner.def.element as z.ZodMiniType);
  const item = element instanceof z.ZodMiniObject ? objectShape(element.shape) : fieldShape(element);
  if (item.kind === 'list') throw new TypeError('the interface has a list of lists');
  return { kind: 'list', item, isRequired };
}

/** Names of the fields of a resource. The fields of its account come first. */
export function fieldNames(resource: Resource): readonly string[] {
  return Object.keys(recordShape(resource).fields);
}

/** Fields that every row has to fill. The supplier is not among them, because --supplier can give it. */
export function requiredFields(resource: Resource): readonly string[] {
  return Object.entries(recordShape(resource).fields)
    .filter(([name, { isRequired }]) => isRequired && name !== 'import_supplier')
    .map(([name]) => name);
}

/** Highest list index that a numbered column may have. A typo must not ask for a million items. */
const MAX_INDEX = 999;

/** The field that a dotted name such as `line_items.0.rate_band` leads to; undefined when the interface has none. */
export function fieldOfName(resource: Resource, name: string): { path: Path; kind: CellKind } | undefined {
  const path = pathOfAttr(name);
  // `line_items.00` would be a second way to write the same column.
  if (path.join('.') !== name) return undefined;
  let shape: FieldShape | ObjectShape | undefined = recordShape(resource);
  for (const part of path) {
    if (typeof part === 'number')
      shape = shape?.kind === 'list' && part <= MAX_INDEX ? shape.item : undefined;
    else
      shape = shape?.kind === 'object' && Object.hasOwn(shape.fields, part) ? shape.fields[part] : undefined;
  }
  return shape && { path, kind: shape.kind === 'leaf' ? shape.facts.kind : 'json' };
}
