import { jsonSchemasOf, type JsonSchema } from '../openapi/json-schema.ts';
import { seedFile } from './seed-file.ts';

/** The JSON Schema (draft 2020-12) of seed files, for editors and for programs that write them. */
export function seedJsonSchema(): JsonSchema {
  const { Seed } = jsonSchemasOf({ Seed: seedFile }, (name) => name);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Seed of dataimport serve',
    ...Seed,
  };
}
