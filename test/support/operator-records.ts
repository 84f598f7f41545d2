import * as fc from 'fast-check';
import type { Resource } from '../../src/core/contract/resources.ts';
import { Decimal } from '../../src/core/values/decimal.ts';
import type { OperatorOracle } from './operator-oracle.ts';

type Json = { readonly [key: string]: unknown };

const TYPES = ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'];

/** Records near what a document allows, on both sides of each bound. Decimals are exact, as a mapping makes them. */
export function recordsNear(oracle: OperatorOracle, resource: Resource): fc.Arbitrary<Json> {
  const ofType = (type: string | undefined): fc.Arbitrary<Json> => {
    const record = near(oracle, oracle.schemaOf(resource, type)!) as fc.Arbitrary<Json>;
    return record.map((fields) => {
      const { import_supplier: _, external_account_number: __, ...own } = fields;
      return type === undefined ? own : { ...own, type };
    });
  };
  return resource === 'transactions' ? fc.oneof(...TYPES.map(ofType)) : ofType(undefined);
}

/** Mostly the first, now and then one of the others. */
function mostly<T>(usual: fc.Arbitrary<T>, ...odd: readonly fc.Arbitrary<T>[]): fc.Arbitrary<T> {
  return fc.oneof({ arbitrary: usual, weight: 60 }, ...odd.map((arbitrary) => ({ arbitrary, weight: 1 })));
}

function near(oracle: OperatorOracle, given: Json): fc.Arbitrary<unknown> {
  const schema = merged(oracle, given);
  const { properties, items, type, format, pattern, maxLength } = schema;
  const values = schema['enum'] ?? (schema['const'] === undefined ? undefined : [schema['const']]);
  const branches = (schema['oneOf'] ?? schema['anyOf']) as readonly Json[] | undefined;
  if (branches) return fc.oneof(...branches.map((branch) => near(oracle, branch)));
  if (Array.isArray(values))
    return mostly(fc.constantFrom<unknown>(...values), fc.constantFrom<unknown>('', 'NOT_LISTED', null));
  if (properties) return objectNear(oracle, schema);
  if (items) {
    const [least, most] = [
      (schema['minItems'] as number | undefined) ?? 0,
      (schema['maxItems'] as number | undefined) ?? 2,
    ];
    const item = near(oracle, items as Json);
    const lengths = [least, Math.min(Math.max(least, 1), most)];
    return mostly<unknown>(
      fc.constantFrom(...lengths).chain((length) => fc.array(item, { minLength: length, maxLength: length })),
      fc.constant([]),
      ...(most <= 12 ? [fc.array(item, { minLength: most + 1, maxLength: most + 1 })] : []),
    );
  }
  const types = [type].flat();
  if (types.includes('boolean')) return mostly<unknown>(fc.boolean(), fc.constantFrom('true', null));
  if (types.includes('number') || types.includes('integer') || format === 'decimal')
    return decimalNear(schema);
  if (types.includes('object'))
    return fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y'.repeat(101)));
  if (format === 'date')
    return mostly<unknown>(
      fc.constantFrom('2026-01-31', '2024-02-29'),
      fc.constantFrom('2025-02-29', '31.01.2026', ''),
    );
  if (format === 'date-time')
    return mostly<unknown>(
      fc.constantFrom('2026-01-31T09:30:00Z', '2026-01-31T09:30:00+01:00'),
      fc.constantFrom('2026-01-31', ''),
    );
  if (format === 'uuid') return mostly<unknown>(fc.uuid(), fc.constant('not-a-uuid'));
  return mostly<unknown>(
    textNear(pattern as string | undefined, maxLength as number | undefined),
    fc.constantFrom<unknown>('', null, A_NUMBER),
  );
}

/** Where a text is expected. */
const A_NUMBER = Decimal.of('7');

function objectNear(oracle: OperatorOracle, { properties, required = [] }: Json): fc.Arbitrary<unknown> {
  const names = Object.keys(properties as object);
  const fields = names.map((name) => {
    const value = near(oracle, (properties as Readonly<Record<string, Json>>)[name]!);
    const isRequired = (required as readonly string[]).includes(name);
    return fc.option(value, { nil: undefined, freq: isRequired ? 80 : 3 });
  });
  return mostly<unknown>(
    fc
      .tuple(...fields)
      .map((all) =>
        Object.fromEntries(all.flatMap((value, at) => (value === undefined ? [] : [[names[at]!, value]]))),
      ),
    fc.constant({}),
  );
}

function textNear(pattern: string | undefined, most = 12): fc.Arbitrary<unknown> {
  const usual = fc.constantFrom(
    'A-1',
    'ABCD',
    '12345678901',
    'a.pdf',
    'x'.repeat(Math.max(most, 1)),
    'é'.repeat(Math.max(most, 1)),
  );
  const fitting =
    pattern === undefined
      ? usual
      : fc.constantFrom('A-1', '12345678901', 'a.pdf').filter((text) => new RegExp(pattern, 'u').test(text));
  return mostly<unknown>(fitting, fc.constantFrom('x'.repeat(most + 1), '😀'.repeat(most), ' '));
}

/** Digits and limits of a decimal, whether it is sent as a number or as a text. */
function decimalNear({ pattern, multipleOf, minimum, maximum, type }: Json): fc.Arbitrary<unknown> {
  const [, whole = '9', places = '2'] = /\{0,(\d+)\}\(\?:\\\.\\d\{0,(\d+)\}/.exec(String(pattern)) ?? [];
  const decimals =
    type === 'integer'
      ? 0
      : typeof multipleOf === 'number'
        ? String(multipleOf.toFixed(9)).replace(/0+$/, '').length - 2
        : Number.parseInt(places, 10);
  const digits = Number.parseInt(whole, 10);
  const texts = [
    '0.01',
    '44',
    '12.50',
    `${'9'.repeat(digits)}`,
    `1.${'1'.repeat(Math.max(decimals, 1))}`,
    ...[minimum, maximum].flatMap((limit) =>
      typeof limit === 'number' && limit !== 0 ? [String(limit)] : [],
    ),
  ];
  const odd = [
    '0',
    '-12.50',
    '9'.repeat(digits + 1),
    `1.${'1'.repeat(decimals + 1)}`,
    '12345678901234.12345',
    ...[minimum, maximum].flatMap((limit) =>
      typeof limit === 'number' ? [String(limit + 1), String(limit - 1)] : [],
    ),
  ];
  const decimal = (text: string): unknown => Decimal.parse(text) ?? text;
  const fitting = texts.filter((text) => decimals > 0 || !text.includes('.'));
  return mostly<unknown>(
    fc.constantFrom(...fitting).map(decimal),
    fc.constantFrom(...odd).map(decimal),
    fc.constantFrom<unknown>('', 'ten', null),
  );
}

/** A schema with its references and the parts of `allOf` in one. */
function merged(oracle: OperatorOracle, given: Json): Json {
  const schema = oracle.resolved(given);
  const parts = ((schema['allOf'] as readonly Json[] | undefined) ?? []).map((part) => merged(oracle, part));
  const all = [schema, ...parts];
  const properties = all.filter((part) => part['properties']).map((part) => part['properties'] as object);
  const required = all.flatMap((part) => (part['required'] as readonly string[] | undefined) ?? []);
  return {
    ...Object.assign({}, ...parts.toReversed(), schema),
    ...(properties.length > 0 && { properties: Object.assign({}, ...properties) as object }),
    ...(required.length > 0 && { required }),
  };
}
