import * as z from 'zod/mini';

export type JsonShape = Readonly<Record<string, unknown>>;

interface Published {
  readonly shape: JsonShape;
  /** Whether the shape replaces what zod would publish, or adds to it. */
  readonly replaces: boolean;
}

/** The JSON Schema of those schemas for which zod would not publish it by itself. */
const PUBLISHED = z.registry<Published, z.core.$ZodType>();

export function publish<S extends z.ZodMiniType>(schema: S, shape: JsonShape): S {
  PUBLISHED.add(schema, { shape, replaces: true });
  return schema;
}

/** Publishes for `schema`, which was made from `from`, the JSON Schema of `from` and one more demand. */
export function extend<S extends z.ZodMiniType>(schema: S, from: S, demand: JsonShape): S {
  const before = PUBLISHED.get(from)?.shape['allOf'];
  const allOf = [...(Array.isArray(before) ? (before as unknown[]) : []), demand];
  PUBLISHED.add(schema, { shape: { allOf }, replaces: false });
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
      if (published.replaces)
        for (const key of Object.keys(jsonSchema)) if (key !== 'description') delete jsonSchema[key];
      Object.assign(jsonSchema, structuredClone(published.shape));
    },
  });
}
