import * as z from 'zod/mini';
import { unwrapped } from '../contract/field.ts';
import { DESCRIPTORS, type Resource } from '../contract/resources.ts';

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
