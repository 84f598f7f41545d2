import * as z from 'zod/mini';
import { DESCRIPTORS, RESOURCES, type Descriptors, type Resource } from '../../../core/contract/resources.ts';
import type { Path } from '../../../core/problem.ts';
import type { TextPosition } from '../../../core/yaml/yaml-text.ts';
import type { SourceFormat } from '../../csv/source-format.ts';
import type { SourceFingerprint } from '../../csv/source-row.ts';
import { conditions, type ConditionSpec } from './conditions.ts';
import { fieldSchema, type FieldSpec } from './field-spec.ts';
import { recordShape, type ObjectShape } from './fields.ts';
import { jsonSchemaOf, publish, type JsonShape } from './published-schema.ts';
import type { LookupTables } from './lookup.ts';
import { filledList, filledText, text, withOneOf } from './schemas.ts';
import { sourceSchema, type SourceSpec } from './source.ts';
import { described, optionalKey } from '../../../core/schema.ts';

/** A mapping that was checked, ready for the header of a file. */
export interface Mapping {
  /** The mapping file, as it was typed or found. */
  readonly name: string;
  readonly resource: Resource;
  readonly format: SourceFormat;
  readonly document: MappingDocument;
  readonly tables: LookupTables;
  /** Where the value at a path of the document was written. */
  readonly positionOf: (path: Path) => TextPosition;
  /** The mapping file first, then the files that it looks up. */
  readonly files: readonly UsedFile[];
}

/** A file that a mapping was made of, as it was when it was read. */
export type UsedFile = { readonly name: string; readonly fingerprint: SourceFingerprint };

/** The keys of a mapping file, after every key was checked by itself. */
export interface MappingDocument {
  readonly resource: Resource;
  /** The fields that the resource has, under the contract of the operator if there is one. */
  readonly shape: ObjectShape;
  readonly source?: SourceSpec;
  readonly fields: Readonly<Record<string, FieldSpec>>;
  /** A row is left out when all conditions of one of the lists hold. */
  readonly filter?: readonly (readonly ConditionSpec[])[];
  readonly continuation?: ContinuationSpec;
  readonly ignore?: 'all' | readonly string[];
}

const continuation = withOneOf(
  z.strictObject({
    key: optionalKey(
      filledList(filledText()),
      'A row goes on with a record when its cells in these columns are those of the first row of the record, or all empty.',
    ),
    when: optionalKey(conditions, 'A row that meets these conditions goes on with the record before it.'),
  }),
  [['key'], ['when']],
).register(z.globalRegistry, { id: 'continuation' });

export type ContinuationSpec = z.output<typeof continuation>;

const version = described(publish(z.literal('1'), { const: 1 }), 'The version of this format.');

function schemaFor(resource: Resource, shapes: ObjectShape['fields']): z.ZodMiniObject {
  const fields = Object.entries(shapes).map(([name, shape]) => [name, z.optional(fieldSchema(name, shape))]);
  return z.strictObject({
    version,
    resource: described(z.enum([resource]), 'The resource that the rows become.'),
    source: optionalKey(sourceSchema, 'The format of the file, and how it writes values.'),
    fields: optionalKey(
      z.strictObject(Object.fromEntries(fields) as Record<string, z.ZodMiniType>),
      'Where the value of each field comes from.',
    ),
    filter: optionalKey(z.array(conditions), 'Leaves out the rows that meet one of the entries.'),
    continuation: optionalKey(continuation, 'Which rows are one record together.'),
    ignore: optionalKey(
      z.union([z.enum(['all']), z.array(text())]),
      'Columns that are left out on purpose; `all` for every column of texts that nothing uses.',
    ),
  });
}

const SCHEMAS = new WeakMap<ObjectShape, z.ZodMiniObject>();

/** The schema of the mapping files of a resource, made once. */
export function mappingSchema(resource: Resource, descriptors: Descriptors = DESCRIPTORS): z.ZodMiniObject {
  const shape = recordShape(resource, descriptors);
  const schema = SCHEMAS.get(shape) ?? schemaFor(resource, shape.fields);
  SCHEMAS.set(shape, schema);
  return schema;
}

/** The JSON Schema (draft 2020-12) of mapping files, for editors. */
export function mapJsonSchema(descriptors: Descriptors = DESCRIPTORS): JsonShape {
  const schemas = RESOURCES.map((resource) => mappingSchema(resource, descriptors));
  const schema = z.discriminatedUnion('resource', schemas as unknown as [z.ZodMiniObject]);
  return { title: 'Mapping file of dataimport', ...jsonSchemaOf(schema) };
}
