import * as z from 'zod/mini';

export type JsonShape = Readonly<Record<string, unknown>>;

/** The JSON Schema of those schemas for which zod would not publish it by itself. */
const PUBLISHED = z.registry<JsonShape, z.core.$ZodType>();

export function publish<S extends z.ZodMiniType>(schema: S, shape: JsonShape): S {
  PUBLISHED.add(schema, shape);
  return schema;
}

/** The JSON Schema (draft 2020-12) of the input that a schema accepts. */
export function jsonSchemaOf(schema: z.ZodMiniType): JsonShape {
  return z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      const published = PUBLISHED.get(zodSchema);
      if (!published) return;
      for (const key of Object.keys(jsonSchema)) if (key !== 'description') delete jsonSchema[key];
      Object.assign(jsonSchema, structuredClone(published));
    },
  });
}
