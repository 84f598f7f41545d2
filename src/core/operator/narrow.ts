import * as z from 'zod/mini';
import { envelope } from '../contract/account.ts';
import type { AccountFields, ResourceDescriptor } from '../contract/descriptor.ts';
import {
  anyJson,
  choice,
  date,
  datetime,
  demandedDecimal,
  demandedText,
  FIELD_FACTS,
  flag,
  objectOnly,
  text,
  unwrapped,
  type FieldFacts,
} from '../contract/field.ts';
import { DESCRIPTORS, RESOURCES, type Descriptors, type Resource } from '../contract/resources.ts';
import { warning, type Path, type Problem } from '../problem.ts';
import type { CheckContext } from '../rules/rule.ts';
import { fieldsShownForType } from '../rules/transaction-rules.ts';
import { isJsonObject, type JsonObject } from '../values/plain-json.ts';
import type { OperatorContract } from './contract.ts';
import { fieldAt, recordUnder, schemasOf, shapeOf, typesUnder, type Field, type Shape } from './fields.ts';
import { listed } from './keywords.ts';
import { listOf, operatorCheck, type OperatorCheck } from './operator-check.ts';
import { rulesByCode } from './rules-by-code.ts';

/**
 * The end that a record is checked for. `file`: digits of a file in any form become what is sent. `wire`: the form is that of a
 * request already.
 */
export type End = 'file' | 'wire';

/** What a check needs to know beside the schemas. */
type Under = { readonly end: End; readonly title: string };

/**
 * The descriptors of the interface under the contract of an operator, made once. They have the fields that the operator adds and its
 * lists of values; a rule of each resource checks everything else by the schemas of the operator.
 */
export function narrowedDescriptors(contract: OperatorContract, end: End): Descriptors {
  const check = operatorCheck(contract);
  const narrowed = RESOURCES.map((resource) => [
    resource,
    narrowedDescriptor(resource, contract, end, check),
  ]);
  return Object.fromEntries(narrowed) as Descriptors;
}

function narrowedDescriptor(
  resource: Resource,
  contract: OperatorContract,
  end: End,
  check: OperatorCheck,
): object {
  const descriptor: ResourceDescriptor<Record<string, unknown>> = {
    ...(DESCRIPTORS[resource] as ResourceDescriptor<Record<string, unknown>>),
    ...(contract.trims && { trims: true }),
  };
  const rules = contract.resources[resource];
  if (!rules) return descriptor;
  const { typeField, endpoint, list } = descriptor;
  const { title } = contract.document;
  const under = { end, title };
  const { body, dry_run, query, max_records } = rules;
  const typeOf = (candidate: unknown): string | null => {
    const type = isJsonObject(candidate) && typeField !== null ? candidate[typeField] : undefined;
    return typeof type === 'string' ? type : null;
  };
  const types = typesUnder(resource, rules);
  const recordOf = new Map(
    [null, ...types].map((type) => [type, recordUnder(resource, rules, contract.schemas, type)]),
  );
  const schemaOf = (type: string | null) =>
    z.strictObject(shapeUnder(shapeOf(resource, type), recordOf.get(type)!, under));
  const bySchema = new Map(types.map((type) => [type, schemaOf(type)]));
  const ofAny = shapeOf(resource, null);
  const typeOfAny = typeField && {
    [typeField]: oneOf(unwrapped(ofAny[typeField]!), { values: types }, under),
  };
  const whole =
    types.length === 0 ? schemaOf(null) : anyOfTypes({ ...ofAny, ...typeOfAny }, [...bySchema.values()]);
  const byCode = rulesByCode(resource, contract);
  const { fields: around = {} } = fieldAt([body], contract.schemas);
  const account = Object.fromEntries(
    Object.entries(descriptor.account as Shape).map(([name, schema]) => [
      name,
      accountField(schema as z.ZodMiniType<string>, around[name], check),
    ]),
  ) as AccountFields;
  const dryRun = dry_run && { dry_run: dry_run.required ? flag() : z.optional(flag()) };
  return {
    ...descriptor,
    contract: title,
    rules: [
      // The operator says which fields each type has.
      ...descriptor.rules.filter((rule) => (rule as unknown) !== fieldsShownForType),
      (candidate: JsonObject, context: CheckContext) => {
        const type = typeOf(candidate);
        const found = check(schemasOf(rules, type), candidate);
        const places = new Set(found.map(({ path }) => path.join('.')));
        // One problem of a value is enough.
        const others = byCode.flatMap((rule) => rule(candidate, context));
        const of = recordOf.has(type) && type !== null ? `a ${type}` : `${title}'s contract`;
        return [
          ...others.filter(({ path }) => !places.has(path.join('.'))),
          ...found,
          ...unnamedIn(candidate, recordOf.get(type) ?? recordOf.get(null)!, of),
        ];
      },
    ],
    account,
    schema: whole,
    schemaFor: (candidate: unknown) => bySchema.get(typeOf(candidate) ?? '') ?? whole,
    endpoint: {
      ...endpoint,
      request: envelope(list, { ...account, ...dryRun }),
      ...(query && { query: { ...endpoint.query, ...query } }),
    },
    ...(max_records !== undefined && { maxRecords: max_records }),
    ...(dry_run && { dryRun: dry_run.required ? 'required' : 'optional' }),
  };
}

/** Warns of fields of the interface that the operator neither names nor forbids. */
function unnamedIn(value: unknown, said: Field | undefined, of: string, path: Path = []): readonly Problem[] {
  const { fields, isOpen } = said ?? {};
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => unnamedIn(item, fields?.['[]'], of, [...path, index]));
  if (!isJsonObject(value) || !fields || isOpen) return [];
  const facts = { what: `not a field of ${of}`, known: 'the fields that the contract names' };
  return Object.entries(value).flatMap(([name, inner]) =>
    Object.hasOwn(fields, name)
      ? unnamedIn(inner, fields[name], of, [...path, name])
      : inner === undefined
        ? []
        : [warning('undocumented_value', [...path, name], facts)],
  );
}

/** A field of the account, which is checked before there is a record. */
function accountField(
  base: z.ZodMiniType<string>,
  said: Field | undefined,
  check: OperatorCheck,
): z.ZodMiniType<string> {
  const { at } = said ?? {};
  return at ? demandedText(base, FIELD_FACTS.get(base)!, (given) => check(at, given)[0]) : base;
}

/**
 * The fields that any type has, for mappings and for records without a known type. A field that some types do not have, or that
 * only some require, is optional. The order is that of the interface, so that added fields come last.
 */
function anyOfTypes(base: Shape, types: readonly z.ZodMiniObject[]): z.ZodMiniObject {
  const shapes = types.map(({ shape }) => shape as Shape);
  const names = new Set([base, ...shapes].flatMap((shape) => Object.keys(shape)));
  const fields = [...names].flatMap((name): [string, z.ZodMiniType][] => {
    const schemas = shapes.flatMap((shape) => (Object.hasOwn(shape, name) ? [shape[name]!] : []));
    // A type whose fields the operator does not name has those of the interface.
    const first = schemas.find((schema) => schema !== base[name]) ?? schemas[0];
    if (!first) return [];
    const isRequired = schemas.length === shapes.length && schemas.every(isRequiredSchema);
    // The interface's own schema is wider than those of the types. A list or an object may have gained fields.
    const schema = required(
      Object.hasOwn(base, name) && FIELD_FACTS.has(unwrapped(first)) ? base[name]! : first,
    );
    return [[name, isRequired ? schema : z.optional(schema)]];
  });
  return z.strictObject(Object.fromEntries(fields));
}

/** The fields of an object under the schema of the operator, the added ones last. */
function shapeUnder(
  base: Shape,
  { fields = {}, isClosed }: Field,
  under: Under,
): Record<string, z.ZodMiniType> {
  const own = Object.entries(base).flatMap(([name, schema]): [string, z.ZodMiniType][] => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field) return [[name, schemaUnder(schema, field, under)]];
    return isClosed && !isRequiredSchema(schema) ? [] : [[name, schema]];
  });
  const added = Object.keys(fields).filter((name) => !Object.hasOwn(base, name));
  const others = added
    .toSorted()
    .map((name) => [name, schemaUnder(undefined, fields[name]!, under)] as const);
  return Object.fromEntries([...own, ...others]);
}

/** @param base the schema of the interface; undefined for a field that the operator adds */
function schemaUnder(base: z.ZodMiniType | undefined, field: Field, under: Under): z.ZodMiniType {
  const inner = base && unwrapped(base);
  const narrowed = inner ? ownUnder(inner, field, under) : addedUnder(field, under);
  const isNullable = base ? base.safeParse(null).success : field.null;
  const schema = isNullable ? z.nullable(narrowed) : narrowed;
  return field.required || (base && isRequiredSchema(base)) ? schema : z.optional(schema);
}

/** A value of the interface keeps its kind. */
function ownUnder(base: z.ZodMiniType, field: Field, under: Under): z.ZodMiniType {
  const { kind, fields } = field;
  const item = fields?.['[]'];
  if (base instanceof z.ZodMiniArray) {
    if (!item) return base;
    const list = z.array(required(schemaUnder(base.def.element as z.ZodMiniType, item, under)));
    return base.safeParse([]).success ? list : list.check(z.minLength(1));
  }
  const facts = FIELD_FACTS.get(base);
  if (!facts) {
    const { shape } = base as unknown as { shape: Shape };
    return kind === 'object' ? z.strictObject(shapeUnder(shape, field, under)) : base;
  }
  if (facts.kind === 'decimal') return decimalUnder(facts, field, under) ?? base;
  return facts.kind === 'boolean' || kind === 'json' ? base : oneOf(base, field, under);
}

function addedUnder(field: Field, under: Under): z.ZodMiniType {
  const { kind, isOpen, fields } = field;
  const item = fields?.['[]'];
  switch (kind) {
    case 'text':
      return oneOf(text({ mayBeEmpty: true }), field, under);
    case 'date':
      return oneOf(date(), field, under);
    case 'datetime':
      return oneOf(datetime(), field, under);
    case 'boolean':
      return flag();
    case 'decimal':
      return decimalUnder({ kind }, field, under) ?? demandedDecimal({ kind }, false);
    case 'list':
      return z.array(item ? required(schemaUnder(undefined, item, under)) : anyJson());
    case 'object': {
      const shape = shapeUnder({}, field, under);
      return objectOnly(isOpen ? z.catchall(z.object(shape), anyJson()) : z.strictObject(shape));
    }
    case 'json':
      return anyJson();
  }
}

function decimalUnder(facts: FieldFacts, { wire, values }: Field, { end }: Under): z.ZodMiniType | undefined {
  if (!wire && !values) return undefined;
  return demandedDecimal({ ...facts, ...(wire && { wire }), ...(values && { values }) }, end === 'wire');
}

/** A text that is one of some values; so is a constant of a mapping. The rule of the resource checks everything else. */
function oneOf(base: z.ZodMiniType, said: Pick<Field, 'values'>, { title }: Under): z.ZodMiniType {
  const values = said.values?.filter((value) => base.safeParse(value).success);
  if (!values) return base;
  if (base instanceof z.ZodMiniEnum)
    return values.length > 0 ? choice(values as [string, ...string[]]) : base;
  // A schema inherits the facts of the schema that it was made of, so the open list has to be taken away.
  const facts = { ...FIELD_FACTS.get(base)!, known: undefined, values };
  return demandedText(base as z.ZodMiniType<string>, facts, (text) =>
    values.includes(text)
      ? undefined
      : { code: 'invalid_choice', facts: { list: listOf(title), known: listed(values, 12) } },
  );
}

const isRequiredSchema = (schema: z.ZodMiniType): boolean => !(schema instanceof z.ZodMiniOptional);

function required(schema: z.ZodMiniType): z.ZodMiniType {
  return schema instanceof z.ZodMiniOptional ? (schema.def.innerType as z.ZodMiniType) : schema;
}
