import * as z from 'zod/mini';
import type { Path } from './problem.ts';

/** A value of a schema that nobody changes. */
export type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T;

/** Parse option that gives issues English words: `zod/mini` has no language, and says `Invalid input` of every issue. */
export const IN_ENGLISH = { error: z.locales.en().localeError };

const COMPILED = new WeakMap<z.ZodMiniType, z.ZodMiniType>();

/**
 * A schema as generated code, which parses records in a third to a half of the time. The schema itself parses again what the code rejects,
 * so the issues are the same. Compiled on first use, because compiling takes as long as a few thousand records.
 */
export function compiled<T>(schema: z.ZodMiniType<T>): z.ZodMiniType<T> {
  let code = COMPILED.get(schema) as z.ZodMiniType<T> | undefined;
  if (!code) {
    code = z.compile(schema);
    COMPILED.set(schema, code);
  }
  return code;
}

/**
 * Sets the description that is published with the JSON Schema. It changes the schema itself, so describe `z.clone(schema)` when other
 * schemas use it, too. `z.describe` would copy every schema, which took 3 % of the time until `serve` is ready.
 */
export function described<S extends z.ZodMiniType>(schema: S, description: string): S {
  z.globalRegistry.add(schema, { description });
  return schema;
}

/** A key that may be left out, with the description that is published for it. */
export function optionalKey<S extends z.ZodMiniType>(schema: S, description: string): z.ZodMiniOptional<S> {
  return described(z.optional(schema), description);
}

/** The keys that a schema has for the object at a path, in every branch of a union. */
export function keysAt(schema: z.ZodMiniType, path: Path): readonly string[] {
  let schemas: readonly z.ZodMiniType[] = branches(schema);
  for (const part of path) schemas = schemas.flatMap((each) => children(each, part)).flatMap(branches);
  return [
    ...new Set(schemas.flatMap((each) => (each instanceof z.ZodMiniObject ? Object.keys(each.shape) : []))),
  ];
}

function children(schema: z.ZodMiniType, part: string | number): readonly z.ZodMiniType[] {
  if (schema instanceof z.ZodMiniArray && typeof part === 'number')
    return [schema.def.element as z.ZodMiniType];
  if (schema instanceof z.ZodMiniRecord) return [schema.def.valueType as z.ZodMiniType];
  const shape = schema instanceof z.ZodMiniObject ? (schema.shape as Record<string, z.ZodMiniType>) : {};
  return Object.hasOwn(shape, part) ? [shape[part]!] : [];
}

/** The schemas behind `optional`, defaults, transforms and unions. */
function branches(schema: z.ZodMiniType): readonly z.ZodMiniType[] {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault)
    return branches(schema.def.innerType as z.ZodMiniType);
  if (schema instanceof z.ZodMiniPipe) return branches(schema.def.in as z.ZodMiniType);
  if (schema instanceof z.ZodMiniUnion)
    return schema.def.options.flatMap((option) => branches(option as z.ZodMiniType));
  return [schema];
}
