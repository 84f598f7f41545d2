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
  type CheckFailure,
  type FieldFacts,
} from '../contract/field.ts';
import { DESCRIPTORS, RESOURCES, type Descriptors, type Resource } from '../contract/resources.ts';
import type { CheckContext } from '../rules/rule.ts';
import { fieldsShownForType } from '../rules/transaction-rules.ts';
import type { JsonObject } from '../values/plain-json.ts';
import type { OperatorContract } from './contract.ts';
import { listed } from './keywords.ts';
import { operatorCheck, type OperatorCheck } from './operator-check.ts';
import { rulesByCode } from './rules-by-code.ts';
import { recordView, shapeOf, type Shape, type Value, type Values } from './value.ts';

/**
 * The end that a record is checked for. `file`: digits of a file in any form become what is sent. `wire`: the form is that of a
 * request already.
 */
export type End = 'file' | 'wire';

/**
 * The descriptors of the interface under the contract of an operator, made once. They have the fields that the operator adds and its
 * lists of values; a rule of each resource checks everything else by the schemas of the operator.
 */
export function narrowedDescriptors(contract: OperatorContract, end: End): Descriptors {
  const check = operatorCheck(contract);
  const narrowed = RESOURCES.map((resource) => [
    resource,
    narrowedDescriptor(resource, contract, { end, check }),
  ]);
  return Object.fromEntries(narrowed) as Descriptors;
}

function narrowedDescriptor(
  resource: Resource,
  contract: OperatorContract,
  { end, check }: { end: End; check: OperatorCheck },
): object {
  const descriptor: ResourceDescriptor<Record<string, unknown>> = {
    ...(DESCRIPTORS[resource] as ResourceDescriptor<Record<string, unknown>>),
    ...(contract.trims && { trims: true }),
  };
  const rules = contract.resources[resource];
  if (!rules) return descriptor;
  const { typeField, endpoint, list } = descriptor;
  const { dry_run, query, max_records } = rules;
  const view = recordView(resource, rules, contract.schemas);
  const typeOf = (candidate: unknown): string | undefined => {
    const type =
      typeField === null ? undefined : (candidate as Readonly<Record<string, unknown>> | null)?.[typeField];
    return typeof type === 'string' ? type : undefined;
  };
  const byCode = rulesByCode(resource, contract);
  const account = Object.fromEntries(
    Object.entries(descriptor.account as Shape).map(([name, schema]) => {
      const value = view.account[name];
      return [name, value?.schemas ? accountField(schema, value, value.schemas, check) : schema];
    }),
  ) as AccountFields;
  const bySchema = new Map(
    view.types.map((type) => [
      type,
      z.strictObject(shapeUnder(shapeOf(resource, type), view.fieldsOf(type), end)),
    ]),
  );
  const shape = shapeOf(resource, null);
  const oneOfTypes = { from: '', kind: 'text', required: true, values: view.types, schemas: [] } as const;
  const typeOfAny = typeField === null ? {} : shapeUnder(shape, { [typeField]: oneOfTypes }, end);
  const whole =
    bySchema.size === 0
      ? z.strictObject(shapeUnder(shape, view.fieldsOf(null), end))
      : anyOfTypes({ ...shape, ...typeOfAny }, [...bySchema.values()]);
  const dryRun = dry_run && (dry_run.required ? 'required' : 'optional');
  const around = {
    ...account,
    ...(dryRun && { dry_run: dryRun === 'required' ? flag() : z.optional(flag()) }),
  };
  return {
    ...descriptor,
    contract: contract.document.title,
    rules: [
      // The operator says which fields each type has.
      ...descriptor.rules.filter((rule) => (rule as unknown) !== fieldsShownForType),
      (candidate: JsonObject, context: CheckContext) => {
        const found = check(view.schemasOf(typeOf(candidate) ?? null), candidate);
        const places = new Set(found.map(({ path }) => path.join('.')));
        // One problem of a value is enough.
        const others = byCode.flatMap((rule) => rule(candidate, context));
        return [...others.filter(({ path }) => !places.has(path.join('.'))), ...found];
      },
    ],
    account,
    schema: whole,
    schemaFor: (candidate: unknown) => bySchema.get(typeOf(candidate) ?? '') ?? whole,
    endpoint: {
      ...endpoint,
      request: envelope(list, around),
      ...(query && { query: { ...endpoint.query, ...query } }),
    },
    ...(max_records !== undefined && { maxRecords: max_records }),
    ...(dryRun && { dryRun }),
  };
}

/** A field of the account, which is checked before there is a record. */
function accountField(
  base: z.ZodMiniType,
  value: Value,
  schemas: readonly string[],
  check: OperatorCheck,
): z.ZodMiniType {
  return demandedText(base as z.ZodMiniType<string>, textFacts(FIELD_FACTS.get(base)!, value), (given) => {
    const [problem] = check(schemas, given).filter(({ severity }) => severity === 'error');
    return problem && ({ code: problem.code, facts: problem.facts } as CheckFailure);
  });
}

/**
 * The fields that any type has, for mappings and for records without a known type. A field that some types do not have, or that
 * only some require, is optional. The order is that of the interface, so that added fields come last.
 */
function anyOfTypes(base: Shape, types: readonly z.ZodMiniObject[]): z.ZodMiniObject {
  const shapes = types.map(({ shape }) => shape as Shape);
  const names = new Set([...Object.keys(base), ...shapes.flatMap((shape) => Object.keys(shape))]);
  const fields = [...names].flatMap((name): [string, z.ZodMiniType][] => {
    const schemas = shapes.flatMap((shape) => (Object.hasOwn(shape, name) ? [shape[name]!] : []));
    const [first] = schemas;
    if (!first) return [];
    const isRequired =
      schemas.length === shapes.length && schemas.every((schema) => !(schema instanceof z.ZodMiniOptional));
    // The interface's own schema is wider than those of the types. A list or an object may have gained fields.
    const schema = Object.hasOwn(base, name) && FIELD_FACTS.has(unwrapped(first)) ? base[name]! : first;
    return [[name, isRequired ? required(schema) : z.optional(required(schema))]];
  });
  return z.strictObject(Object.fromEntries(fields));
}

/** The fields of an object under the schemas of the operator, the added ones last. */
function shapeUnder(base: Shape, values: Values, end: End): Record<string, z.ZodMiniType> {
  const fields = Object.entries(values).map(([name, value]) => {
    const own = Object.hasOwn(base, name) ? base[name] : undefined;
    return [name, own ? ownValue(own, value, end) : addedValue(value, end)];
  });
  return Object.fromEntries(fields) as Record<string, z.ZodMiniType>;
}

/** A value of the interface under the schemas of the operator. */
function ownValue(base: z.ZodMiniType, value: Value, end: End): z.ZodMiniType {
  const plain = required(base);
  const inner = unwrapped(plain);
  const narrowed = value.schemas ? narrowedInner(inner, value, end) : inner;
  const same = narrowed === inner ? plain : plain.safeParse(null).success ? z.nullable(narrowed) : narrowed;
  return value.required ? same : z.optional(same);
}

function narrowedInner(base: z.ZodMiniType, value: Value, end: End): z.ZodMiniType {
  const facts = FIELD_FACTS.get(base);
  const { values } = value;
  if (base instanceof z.ZodMiniArray) {
    const list = z.array(ownValue(base.def.element as z.ZodMiniType, value.item!, end));
    return base.safeParse([]).success ? list : list.check(z.minLength(1));
  }
  if (!facts) {
    const { shape } = base as unknown as { shape: Shape };
    return z.strictObject(shapeUnder(shape, value.fields!, end));
  }
  if (base instanceof z.ZodMiniEnum) return choice(values as readonly [string, ...string[]]);
  if (facts.kind === 'decimal') return value.wire || values ? decimal(facts, value, end) : base;
  if (facts.kind === 'boolean') return base;
  if (facts.kind === 'text' && value.kind !== 'text') return addedInner(value, end);
  return narrowedText(base as z.ZodMiniType<string>, facts, value);
}

function decimal(facts: FieldFacts, { wire, values }: Value, end: End): z.ZodMiniType {
  const own = { ...facts, ...(wire && { wire }), ...(values && { values }) };
  return demandedDecimal(own, end === 'wire');
}

/** A text, and a constant of a mapping, is one of the values. The rule of the resource checks everything else. */
function narrowedText(base: z.ZodMiniType<string>, facts: FieldFacts, value: Value): z.ZodMiniType<string> {
  const { values } = value;
  return demandedText(base, textFacts(facts, value), (given) =>
    !values || values.includes(given)
      ? undefined
      : { code: 'invalid_choice', facts: { known: listed(values, 12) } },
  );
}

function textFacts(facts: FieldFacts, { values, minLength: least, maxLength: most }: Value): FieldFacts {
  return {
    ...facts,
    // A schema inherits the facts of the schema that it was made of, so the open list has to be taken away.
    known: values ? undefined : facts.known,
    ...(values && { values }),
    ...(most !== undefined && facts.kind === 'text' && { max: most }),
    ...(facts.mayBeEmpty && { mayBeEmpty: !least && (!values || values.includes('')) }),
  };
}

function addedValue(value: Value, end: End): z.ZodMiniType {
  const inner = addedInner(value, end);
  const nullable = value.null ? z.nullable(inner) : inner;
  return value.required ? nullable : z.optional(nullable);
}

function addedInner(value: Value, end: End): z.ZodMiniType {
  switch (value.kind) {
    case 'text':
      return narrowedText(text({ mayBeEmpty: true }), { kind: 'text', mayBeEmpty: true }, value);
    case 'date':
      return narrowedText(date(), { kind: 'date' }, value);
    case 'datetime':
      return narrowedText(datetime(), { kind: 'datetime' }, value);
    case 'boolean':
      return flag();
    case 'decimal':
      return decimal({ kind: 'decimal' }, value, end);
    case 'list':
      return z.array(value.item ? required(addedValue(value.item, end)) : anyJson());
    case 'object':
      return objectOnly(objectUnder(value, end));
    case 'json':
      return anyJson();
  }
}

function objectUnder({ fields = {}, isOpen }: Value, end: End): z.ZodMiniType {
  const shape = shapeUnder({}, fields, end);
  return isOpen ? z.catchall(z.object(shape), anyJson()) : z.strictObject(shape);
}

function required(schema: z.ZodMiniType): z.ZodMiniType {
  return schema instanceof z.ZodMiniOptional ? (schema.def.innerType as z.ZodMiniType) : schema;
}
