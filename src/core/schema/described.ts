import * as z from 'zod/mini';

/**
 * Gives a schema the description that is published with its JSON Schema. The schema itself gets it: of one that stands elsewhere,
 * too, describe `z.clone(schema)`. `z.describe` would copy every one of them, which took 3 % of the time until `serve` is ready.
 */
export function described<S extends z.ZodMiniType>(schema: S, description: string): S {
  z.globalRegistry.add(schema, { description });
  return schema;
}
