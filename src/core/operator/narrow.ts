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
} from '../contract/field.ts';
import { DESCRIPTORS, RESOURCES, type Descriptors, type Resource } from '../contract/resources.ts';
import { warning, type Path, type Problem } from '../problem.ts';
import type { CheckContext } from '../rules/rule.ts';
import { fieldsShownForType } from '../rules/transaction-rules.ts';
import { isJsonObject, type JsonObject } from '../values/plain-json.ts';
import type { OperatorContract } from './contract.ts';
import {
  fieldUnder,
  listed,
  recordUnder,
  schemasOf,
  shapeOf,
  typesUnder,
  type Field,
  type Shape,
} from './fields.ts';
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
  const { body, dry_run, query, max_records } = rules;
  const typeOf = (candidate: unknown): string | null => {
    const type = isJsonObject(candidate) && typeField !== null ? candidate[typeField] : undefined;
    return typeof type === 'string' ? type : null;
  };
  const types = [null, ...typesUnder(resource, rules)].map((type) => {
    const record = recordUnder(resource, rules, contract.schemas, type);
    const shape = shapeUnder(shapeOf(resource, type), record, { end, title });
    return [type, { record, schema: z.strictObject(shape) }] as const;
  });
  const byType = new Map<string | null, (typeof types)[number][1]>(types);
  const whole = byType.get(null)!;
  const under = (type: string | null) => byType.get(type) ?? whole;
  const byCode = rulesByCode(resource, contract);
  const { fields: around = {} } = fieldUnder(descriptor.account as Shape, [body], contract.schemas);
  const account = Object.fromEntries(
    Object.entries(descriptor.account as Readonly<Record<string, z.ZodMiniType<string>>>).map(
      // A field of the account is checked before there is a record.
      ([name, base]) => [
        name,
        demandedText(base, FIELD_FACTS.get(base)!, (given) => check(around[name]!.at, given)[0]),
      ],
    ),
  ) as AccountFields;
  const dryRun = dry_run && { dry_run: dry_run === 'required' ? flag() : z.optional(flag()) };
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
        const of = byType.has(type) && type !== null ? `a ${type}` : `${title}'s contract`;
        return [
          ...others.filter(({ path }) => !places.has(path.join('.'))),
          ...found,
          ...unnamedIn(candidate, under(type).record, of),
        ];
      },
    ],
    account,
    schema: whole.schema,
    schemaFor: (candidate: unknown) => under(typeOf(candidate)).schema,
    endpoint: {
      ...endpoint,
      request: envelope(list, { ...account, ...dryRun }),
      ...(query && { query: { ...endpoint.query, ...query } }),
    },
    ...(max_records !== undefined && { maxRecords: max_records }),
    ...(dry_run && { dryRun: dry_run }),
  };
}

/** Warns of fields of the interface that the operator neither names nor forbids. */
function unnamedIn(value: unknown, said: Field | undefined, of: string, path: Path = []): readonly Problem[] {
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) =>
      unnamedIn(item, said?.fields?.['[]'], of, [...path, index]),
    );
  if (!isJsonObject(value)) return [];
  const facts = { what: `not a field of ${of}`, known: 'the fields that the contract names' };
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = said?.fields?.[name];
    if (inner === undefined || !field) return [];
    const at = [...path, name];
    return field.isUnnamed ? [warning('undocumented_value', at, facts)] : unnamedIn(inner, field, of, at);
  });
}

/** The fields of an object under the schemas of the operator. */
function shapeUnder(base: Shape, { fields = {} }: Field, under: Under): Record<string, z.ZodMiniType> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, schemaUnder(base[name], field, under)]),
  );
}

/** @param base the schema of the interface, which keeps its kind; undefined for a field that the operator adds */
function schemaUnder(base: z.ZodMiniType | undefined, field: Field, under: Under): z.ZodMiniType {
  const narrowed = valueUnder(base && unwrapped(base), field, under);
  const isNullable = base ? base.safeParse(null).success : field.null;
  const schema = isNullable ? z.nullable(narrowed) : narrowed;
  return field.required ? schema : z.optional(schema);
}

function valueUnder(base: z.ZodMiniType | undefined, field: Field, under: Under): z.ZodMiniType {
  const { isOpen, fields, wire, values } = field;
  if (base && (field.kind === undefined || field.kind === 'json')) return base;
  const kind = (base && FIELD_FACTS.get(base)?.kind) ?? field.kind;
  const item = fields?.['[]'];
  switch (kind) {
    case 'list': {
      const element = (base as z.ZodMiniArray | undefined)?.def.element as z.ZodMiniType | undefined;
      const list = z.array(item ? schemaUnder(element, { ...item, required: true }, under) : anyJson());
      return !base || base.safeParse([]).success ? list : list.check(z.minLength(1));
    }
    case 'object': {
      if (base) return z.strictObject(shapeUnder((base as unknown as { shape: Shape }).shape, field, under));
      const shape = shapeUnder({}, field, under);
      return objectOnly(isOpen ? z.catchall(z.object(shape), anyJson()) : z.strictObject(shape));
    }
    case 'decimal': {
      if (base && !wire && !values) return base;
      const facts = {
        kind,
        ...(base && FIELD_FACTS.get(base)),
        ...(wire && { wire }),
        ...(values && { values }),
      };
      return demandedDecimal(facts, under.end === 'wire');
    }
    case 'boolean':
      return base ?? flag();
    case 'text':
    case 'date':
    case 'datetime':
      return oneOf(base ?? ADDED[kind](), values, under);
    default:
      return anyJson();
  }
}

const ADDED = { text: () => text({ mayBeEmpty: true }), date, datetime } as const;

/** A text that is one of some values; so is a constant of a mapping. The rule of the resource checks everything else. */
function oneOf(base: z.ZodMiniType, said: Field['values'], { title }: Under): z.ZodMiniType {
  const values = said?.filter((value) => base.safeParse(value).success);
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
