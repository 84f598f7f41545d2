import * as z from 'zod/mini';
import { FIELD_FACTS, unwrapped } from '../contract/field.ts';
import { DESCRIPTORS, type Resource } from '../contract/resources.ts';
import type { FieldRules, Fields } from './contract.ts';

/** The fields of a record or of an object in it, by name. */
export type Shape = Readonly<Record<string, z.ZodMiniType>>;

/** The types of the records of a resource, if it has a closed list of them; else none. */
export function typesOf(resource: Resource): readonly string[] {
  const { typeField, schema } = DESCRIPTORS[resource];
  const types = typeField === null ? undefined : unwrapped(schema.shape[typeField] as z.ZodMiniType);
  return types instanceof z.ZodMiniEnum ? Object.values(types.def.entries).map(String) : [];
}

export function shapeOf(resource: Resource, type: string | null): Shape {
  const { typeField, schema, schemaFor } = DESCRIPTORS[resource];
  const chosen =
    typeField === null || type === null ? schema : (schemaFor?.({ [typeField]: type }) ?? schema);
  return (chosen as unknown as { shape: Shape }).shape;
}

/** The rules of the fields of one type: those for every type, and its own. */
export function fieldsFor(
  { fields = {}, types }: Pick<FieldRules, 'fields' | 'types'>,
  type: string | null,
): Fields {
  const own = type !== null && types && Object.hasOwn(types.of, type) ? types.of[type]!.fields : undefined;
  return { ...fields, ...own };
}

/** What the interface says of a value, in the words of a contract. */
export function interfaceRules(schema: z.ZodMiniType): FieldRules {
  const inner = unwrapped(schema);
  const facts = FIELD_FACTS.get(inner);
  const isRequired = !(schema instanceof z.ZodMiniOptional);
  const adds = facts?.kind ?? (inner instanceof z.ZodMiniArray ? 'list' : 'object');
  const { whole, places, positive } = facts?.bounds ?? {};
  const isChoice = inner instanceof z.ZodMiniEnum;
  const isMinor = facts?.unit === 'minor';
  return {
    from: '',
    adds,
    ...(isRequired && { required: true }),
    ...(isChoice && { values: Object.values(inner.def.entries).map(String) }),
    ...(facts?.max !== undefined && { max_length: facts.max }),
    ...(facts?.kind === 'text' &&
      !facts.mayBeEmpty &&
      facts.max === undefined &&
      !isChoice && { min_length: 1 }),
    ...(isMinor ? { digits: { whole: 15, places: 0 } } : facts?.bounds && { digits: { whole, places } }),
    ...(positive && { above: '0' }),
    ...(schema.safeParse(null).success && { null: true }),
  };
}
