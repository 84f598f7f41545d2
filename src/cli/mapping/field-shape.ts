import * as z from 'zod/mini';
import { accountFields } from '../../core/contract/account.ts';
import { FIELD_FACTS, unwrapped, type FieldFacts } from '../../core/contract/field.ts';
import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';

/** A field of the contract that holds one value. */
export interface LeafShape {
  readonly kind: 'leaf';
  readonly facts: FieldFacts;
  readonly schema: z.ZodMiniType;
  readonly isRequired: boolean;
}

/** A field of the contract that holds a list. */
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

/** All fields of a resource, those of its account first. */
export function recordShape(resource: Resource): ObjectShape {
  const record = DESCRIPTORS[resource].schema as unknown as z.ZodMiniObject;
  return objectShape({ ...accountFields, ...record.shape });
}

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
    throw new TypeError('a field of the contract is neither a value nor a list');
  const element = unwrapped(inner.def.element as z.ZodMiniType);
  const item = element instanceof z.ZodMiniObject ? objectShape(element.shape) : fieldShape(element);
  if (item.kind === 'list') throw new TypeError('the contract has a list of lists');
  return { kind: 'list', item, isRequired };
}
