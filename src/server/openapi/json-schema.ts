import * as z from 'zod/mini';
import { FIELD_FACTS, type DecimalBounds, type FieldFacts } from '../../core/contract/field.ts';

/** A JSON Schema (draft 2020-12, which OpenAPI 3.1 takes as it is). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schemas of zod schemas. Some checks of fields are code, so their JSON Schema is made from `FIELD_FACTS`.
 * @param names the schemas by their published names
 * @param uri the address of a published name
 */
export function jsonSchemasOf<Name extends string>(
  names: Readonly<Record<Name, z.ZodMiniType>>,
  uri: (name: string) => string,
): Readonly<Record<Name, JsonSchema>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries<z.ZodMiniType>(names)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const facts = FIELD_FACTS.get(zodSchema);
      if (facts) Object.assign(jsonSchema, fieldSchema(facts));
    },
  });
  const bare = Object.entries(schemas).map(([name, schema]) => [name, without(schema, '$schema', '$id')]);
  return Object.fromEntries(bare) as Readonly<Record<Name, JsonSchema>>;
}

/** A copy of an object without some of its keys. */
export function without(object: object, ...keys: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

function fieldSchema(facts: FieldFacts): JsonSchema {
  const { values, wire } = facts;
  return {
    ...kindSchema(facts),
    ...(values && { enum: values }),
    ...(wire && { type: wire === 'string' ? 'string' : facts.unit === 'minor' ? 'integer' : 'number' }),
  };
}

function kindSchema({ kind, known, unit, max, mayBeEmpty, bounds }: FieldFacts): JsonSchema {
  switch (kind) {
    case 'text':
      return {
        ...(max !== undefined && { maxLength: max }),
        pattern: mayBeEmpty ? '^$|\\S' : '\\S',
        ...(known && { examples: known, description: 'Other values may be accepted as well.' }),
      };
    case 'decimal':
      return unit === 'minor' ? MINOR_UNITS : bounds ? decimalSchema(bounds) : {};
    case 'date':
      return { format: 'date' };
    case 'datetime':
      return { format: 'date-time' };
    case 'boolean':
    case 'json':
      return {};
  }
}

/** Up to 15 digits, which a float keeps. */
const MINOR_UNITS = { type: 'integer', description: 'In minor units: 5324 for 53.24.', examples: [5324] };

function decimalSchema({ whole, places, positive = false }: DecimalBounds): JsonSchema {
  const fraction = places === 0 ? '' : `(\\.\\d{1,${places}})?`;
  const pattern = `^${positive ? '' : '-?'}0*\\d{1,${whole}}${fraction}$`;
  return {
    type: ['number', 'string'],
    ...(positive && { exclusiveMinimum: 0 }),
    pattern,
    description: `An exact decimal, up to ${whole} digits before the point and ${places} after it; as a number, or as text where a float would not keep it.`,
  };
}
