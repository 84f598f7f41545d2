import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import type { Resource } from '../../src/core/contract/resources.ts';
import { operatorFile } from './operator-document.ts';

// Judges records by the document of an operator itself, with a validator of JSON Schema and nothing of src/core/operator.

type Json = { readonly [key: string]: unknown };

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/** The schema of a record of a resource and type, by name. It is written down here, so that nothing has to find it. */
const SCHEMA_NAMES: Readonly<Record<string, (resource: Resource, type: unknown) => string | undefined>> = {
  halmere: (resource, type) =>
    resource === 'transactions' ? `${ofType(type)}Transaction` : HALMERE[resource],
  ostrelle: (resource, type) => (resource === 'transactions' ? ofType(type) : OSTRELLE[resource]),
};
const HALMERE: Readonly<Partial<Record<Resource, string>>> = {
  notes: 'Note',
  statements: 'Statement',
  'payment-instructions': 'PaymentInstruction',
};
const OSTRELLE = { ...HALMERE, 'payment-instructions': 'Instruction' };

/** `SupplyCharge` for SUPPLY_CHARGE. */
function ofType(type: unknown): string {
  return String(type)
    .toLowerCase()
    .replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export interface OperatorOracle {
  /** The schema of a record, with its references. Undefined for an unknown type. */
  schemaOf(resource: Resource, type: unknown): Json | undefined;
  /** A part of the document behind its references. */
  resolved(schema: Json): Json;
  /** Why the document refuses a record; empty when it does not. Instructions are judged with their account. */
  refusals(resource: Resource, record: Json): readonly string[];
}

export function operatorOracle(folder: 'halmere' | 'ostrelle', name: string): OperatorOracle {
  const document = parse(operatorFile(folder, name)) as Json;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  // Floats cannot say whether 9999999999 is a multiple of 0.00001. All steps are powers of ten.
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    validate: (step: number, value: number) => placesOf(value) <= placesOf(step),
  });
  ajv.addFormat(
    'date',
    (text) => DAY.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text),
  );
  ajv.addFormat('date-time', INSTANT);
  ajv.addFormat('uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
  ajv.addFormat('int32', {
    type: 'number',
    validate: (value) => Number.isInteger(value) && Math.abs(value) <= 2 ** 31,
  });
  for (const format of ['decimal', 'double', 'email']) ajv.addFormat(format, true);
  ajv.addSchema(in2020(document) as object, 'operator');
  const schemas = (document['components'] as { schemas: Readonly<Record<string, Json>> }).schemas;
  const validators = new Map<string, ValidateFunction>();
  const nameOf = (resource: Resource, type: unknown): string | undefined => {
    const found = SCHEMA_NAMES[folder]!(resource, type);
    return found !== undefined && Object.hasOwn(schemas, found) ? found : undefined;
  };
  const resolved = (schema: Json): Json => {
    const reference = schema['$ref'];
    return typeof reference === 'string' ? resolved(schemas[reference.split('/').at(-1)!]!) : schema;
  };
  return {
    resolved,
    schemaOf: (resource, type) => {
      const found = nameOf(resource, type);
      return found === undefined ? undefined : schemas[found];
    },
    refusals(resource, record) {
      const found = nameOf(resource, record['type']);
      if (found === undefined) return ['no schema for the type'];
      const validate =
        validators.get(found) ?? ajv.compile({ $ref: `operator#/components/schemas/${found}` });
      validators.set(found, validate);
      const account = { import_supplier: 'ACME', external_account_number: 'A1' };
      validate(resource === 'payment-instructions' ? { ...account, ...record } : record);
      return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    },
  };
}

/** Digits after the point of a number as JavaScript writes it. */
function placesOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const places = digits.split('.')[1]?.length ?? 0;
  return Math.max(places - Number.parseInt(exponent, 10), 0);
}

/** OpenAPI 3.0 says null and exclusive limits in words of its own. Discriminators are not a part of JSON Schema. */
function in2020(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(in2020);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, discriminator: _, exclusiveMinimum, ...rest } = value as Json;
  const schema = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, in2020(inner)]));
  if (nullable === true && typeof schema['type'] === 'string') schema['type'] = [schema['type'], 'null'];
  if (exclusiveMinimum === true) {
    schema['exclusiveMinimum'] = schema['minimum'];
    delete schema['minimum'];
  } else if (exclusiveMinimum !== undefined) schema['exclusiveMinimum'] = exclusiveMinimum;
  return schema;
}
