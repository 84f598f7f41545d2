import * as z from 'zod/mini';
import {
  FIELD_FACTS,
  text,
  unwrapped,
  type FieldFacts,
  type FieldKind,
} from '../../../core/contract/field.ts';
import { DESCRIPTORS, type Descriptors, type Resource } from '../../../core/contract/resources.ts';
import { pathOfAttr, type Path } from '../../../core/problem.ts';

export interface LeafShape {
  readonly kind: 'leaf';
  readonly facts: FieldFacts;
  readonly schema: z.ZodMiniType;
  readonly isRequired: boolean;
}

export type ListShape = Readonly<{ kind: 'list'; item: LeafShape | ObjectShape; isRequired: boolean }>;

/** The fields of a record, or of an item of a list. `isOpen`: the contract of an operator takes any others, too. */
export type ObjectShape = {
  readonly kind: 'object';
  readonly fields: Readonly<Record<string, FieldShape>>;
  readonly isOpen?: boolean;
};

/** A field that has an object, which only the contract of an operator adds. */
export type ObjectFieldShape = ObjectShape & { readonly isRequired: boolean };

export type FieldShape = LeafShape | ListShape | ObjectFieldShape;

/** How a cell is read: as a single value, or as JSON for a list or an object. */
export type CellKind = FieldKind;

/** The values that the interface, or the contract of an operator, shows for a field; none for any other text. */
export function choicesOf({ facts, schema }: LeafShape): readonly string[] {
  const { values, known } = facts;
  if (schema instanceof z.ZodMiniEnum) return Object.values(schema.def.entries).map(String);
  return values ?? known ?? [];
}

/** All fields of a resource. The fields of its account come first. */
export function recordShape(resource: Resource, descriptors: Descriptors = DESCRIPTORS): ObjectShape {
  const of = descriptors[resource];
  const shape = SHAPES.get(of) ?? objectShape({ ...of.account.shape, ...of.schema.shape });
  SHAPES.set(of, shape);
  return shape;
}

/** Made once for each descriptor. */
const SHAPES = new WeakMap<object, ObjectShape>();

/** The shape of an object with fields of such schemas. */
export function objectShape(shape: Readonly<Record<string, z.core.$ZodType>>): ObjectShape {
  const fields = Object.entries(shape).map(
    ([name, schema]) => [name, fieldShape(schema as z.ZodMiniType)] as const,
  );
  return { kind: 'object', fields: Object.fromEntries(fields) };
}

function fieldShape(schema: z.ZodMiniType): FieldShape {
  const isRequired = !(schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault);
  const inner = unwrapped(schema);
  const facts = FIELD_FACTS.get(inner);
  if (facts) return { kind: 'leaf', facts, schema: inner, isRequired };
  if (inner instanceof z.ZodMiniObject) {
    const { catchall } = inner.def;
    const isOpen = catchall !== undefined && !(catchall instanceof z.ZodMiniNever);
    return { ...objectShape(inner.shape), isRequired, isOpen };
  }
  if (!(inner instanceof z.ZodMiniArray))
    throw new TypeError('a field of the interface is neither a value, a list nor an object');
  const item = fieldShape(unwrapped(inner.def.element as z.ZodMiniType));
  // A list of lists is read from a cell with JSON.
  if (item.kind === 'list') return { kind: 'leaf', facts: { kind: 'json' }, schema: inner, isRequired };
  return { kind: 'list', item, isRequired };
}

/** Names of the fields of a resource. The fields of its account come first. */
export function fieldNames(resource: Resource, descriptors?: Descriptors): readonly string[] {
  return Object.keys(recordShape(resource, descriptors).fields);
}

/** Fields that every row has to fill. The supplier is not among them, because --supplier can give it. */
export function requiredFields(resource: Resource, descriptors?: Descriptors): readonly string[] {
  return Object.entries(recordShape(resource, descriptors).fields)
    .filter(([name, { isRequired }]) => isRequired && name !== 'import_supplier')
    .map(([name]) => name);
}

/** A field of an open object that nobody describes: a text. */
const UNNAMED: LeafShape = {
  kind: 'leaf',
  facts: { kind: 'text', mayBeEmpty: true },
  schema: text({ mayBeEmpty: true }),
  isRequired: false,
};

/** The field of an object; undefined when it has none of that name, and takes no others. */
export function fieldIn({ fields, isOpen }: ObjectShape, name: string): FieldShape | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : isOpen ? UNNAMED : undefined;
}

/** Highest list index that a numbered column may have. A typo must not ask for a million items. */
const MAX_INDEX = 999;

/** `isFree`: it takes values of JSON that the interface knows nothing about, so that a number and its digits as text differ. */
export type NamedField = Readonly<{
  path: Path;
  kind: CellKind;
  choices: readonly string[];
  isFree: boolean;
  isUnnamed: boolean;
}>;

/** The field that a dotted name such as `line_items.0.rate_band` leads to; undefined when the interface has none. */
export function fieldOfName(
  resource: Resource,
  name: string,
  descriptors?: Descriptors,
): NamedField | undefined {
  const path = pathOfAttr(name);
  // `line_items.00` would be a second way to write the same column.
  if (path.join('.') !== name) return undefined;
  let shape: FieldShape | ObjectShape | undefined = recordShape(resource, descriptors);
  for (const part of path) {
    if (typeof part === 'number')
      shape = shape?.kind === 'list' && part <= MAX_INDEX ? shape.item : undefined;
    else shape = shape?.kind === 'object' ? fieldIn(shape, part) : undefined;
  }
  const kind = shape?.kind === 'leaf' ? shape.facts.kind : 'json';
  const isFree =
    shape?.kind === 'object'
      ? 'isOpen' in shape && shape.isOpen === true
      : shape?.kind === 'leaf' && kind === 'json';
  const choices = shape?.kind === 'leaf' ? choicesOf(shape) : [];
  return shape && { path, kind, choices, isFree, isUnnamed: shape === UNNAMED };
}
