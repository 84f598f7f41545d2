import * as z from 'zod/mini';
import { RESOURCES, type Resource } from '../../../core/contract/resources.ts';
import { described } from '../../../core/schema.ts';
import { recordShape } from '../field-shape.ts';
import { conditions, type ConditionSpec } from './condition-schema.ts';
import { withOneOf } from './exclusive-keys.ts';
import { fieldSchema, type FieldSpec } from './field-schema.ts';
import { jsonSchemaOf, publish, type JsonShape } from './published.ts';
import { filledText, text } from './scalars.ts';
import { sourceSchema, type SourceSpec } from './source-schema.ts';

/** A mapping file as it stands there, after its includes were put in and every key was checked by itself. */
export interface MappingDocument {
  readonly resource: Resource;
  readonly source?: SourceSpec;
  readonly fields: Readonly<Record<string, FieldSpec>>;
  /** Each row for which all conditions of one of the lists hold is left out. */
  readonly filter?: readonly (readonly ConditionSpec[])[];
  readonly continuation?: { readonly key?: readonly string[]; readonly when?: readonly ConditionSpec[] };
  readonly ignore?: 'all' | readonly string[];
}

const version = publish(z.literal('1'), { const: 1 });

/** What an included file can say, too. */
function sharedKeys(resource: Resource) {
  const fields = Object.entries(recordShape(resource).fields).map(([name, shape]) => [
    name,
    z.optional(fieldSchema(name, shape)),
  ]);
  return {
    source: described(z.optional(sourceSchema), 'What the file is, and how it writes values.'),
    fields: described(
      z.optional(z.strictObject(Object.fromEntries(fields) as Record<string, z.ZodMiniType>)),
      'Where the value of each field comes from.',
    ),
    filter: described(
      z.optional(z.array(conditions)),
      'Rows to leave out: those for which one of the entries holds.',
    ),
    continuation: described(z.optional(continuation), 'Which rows are one record together.'),
    ignore: described(
      z.optional(z.union([z.enum(['all']), z.array(text())])),
      'Columns that are known to be left out; `all` for every column without a use.',
    ),
  };
}

const continuation = withOneOf(
  z.strictObject({
    key: described(
      z.optional(z.array(filledText()).check(z.minLength(1))),
      'A row whose cells here are those of the first row of a record, or all empty, goes on with that record.',
    ),
    when: described(z.optional(conditions), 'A row for which this holds goes on with the record before it.'),
  }),
  [['key'], ['when']],
).register(z.globalRegistry, { id: 'continuation' });

/** The schemas of the mapping files of one resource. */
interface MappingSchemas {
  readonly mapping: z.ZodMiniObject;
  /** Of a file that they include. */
  readonly included: z.ZodMiniObject;
}

function schemasFor(resource: Resource): MappingSchemas {
  const keys = sharedKeys(resource);
  return {
    mapping: z.strictObject({
      version,
      resource: described(z.enum([resource]), 'What the rows are.'),
      include: described(
        z.optional(z.array(filledText())),
        'Files whose keys hold where this one says nothing.',
      ),
      ...keys,
    }),
    included: z.strictObject({ version: z.optional(version), ...keys }),
  };
}

export const MAPPING_SCHEMAS: Readonly<Record<Resource, MappingSchemas>> = {
  notes: schemasFor('notes'),
  transactions: schemasFor('transactions'),
  statements: schemasFor('statements'),
  'payment-instructions': schemasFor('payment-instructions'),
};

/** The JSON Schema (draft 2020-12) of mapping files, for editors. */
export function mapJsonSchema(): JsonShape {
  const schemas = RESOURCES.map((resource) => MAPPING_SCHEMAS[resource].mapping);
  const schema = z.discriminatedUnion('resource', schemas as unknown as [z.ZodMiniObject]);
  return { title: 'Mapping file of dataimport', ...jsonSchemaOf(schema) };
}
