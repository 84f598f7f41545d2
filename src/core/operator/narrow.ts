import * as z from 'zod/mini';
import { envelope } from '../contract/account.ts';
import type { ResourceDescriptor } from '../contract/descriptor.ts';
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
import type { Field, Fields, OperatorContract, ResourceRules } from './contract.ts';
import { listed, listOf, operatorChecks } from './operator-check.ts';
import { rulesByCode } from './rules-by-code.ts';

/** The schemas of a record or of an object in it, by name. */
export type Shape = Readonly<Record<string, z.ZodMiniType>>;

/** The types of the records of a resource, if the interface has a closed list of them; else none. */
export function typesOf(resource: Resource): readonly string[] {
  const { typeField, schema } = DESCRIPTORS[resource];
  const types = typeField === null ? undefined : unwrapped(schema.shape[typeField] as z.ZodMiniType);
  return types instanceof z.ZodMiniEnum ? Object.values(types.def.entries).map(String) : [];
}

/** The fields of the interface for records of a type; for any type without one. */
export function shapeOf(resource: Resource, type: string | null): Shape {
  const { typeField, schema, schemaFor } = DESCRIPTORS[resource];
  const chosen =
    typeField === null || type === null ? schema : (schemaFor?.({ [typeField]: type }) ?? schema);
  return (chosen as unknown as { shape: Shape }).shape;
}

/** Where a record comes from: the digits of a file become what is sent, and a request has its form already. */
export type End = 'file' | 'wire';

/** What a check needs to know beside the schemas. */
type Under = { readonly end: End; readonly title: string };

/**
 * The descriptors of the interface under the contract of an operator. They have the fields that the operator adds and its lists of
 * values; a rule of each resource checks everything else by the schemas of the operator.
 * @throws AppError `document_invalid`
 */
export function narrowedDescriptors(contract: OperatorContract, end: End): Descriptors {
  const checks = operatorChecks(contract);
  const narrowed = RESOURCES.map((resource) => [
    resource,
    narrowedDescriptor(resource, contract, { end, checks }),
  ]);
  return Object.fromEntries(narrowed) as Descriptors;
}

function narrowedDescriptor(
  resource: Resource,
  contract: OperatorContract,
  { end, checks }: { end: End; checks: ReturnType<typeof operatorChecks> },
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
  const recordOf = (type: string | null, { fields, record }: Pick<ResourceRules, 'fields' | 'record'>) => ({
    fields,
    schema: z.strictObject(shapeUnder(shapeOf(resource, type), fields, { end, title })),
    check: checks(...new Set([rules.record, record].filter((each) => each !== undefined))),
    of: type === null ? `${title}'s contract` : `a ${type}`,
  });
  const whole = recordOf(null, rules);
  const types = Object.entries(rules.types ?? {});
  const byType = new Map(types.map(([type, own]) => [type, recordOf(type, own)]));
  const under = (candidate: unknown) => {
    const type = isJsonObject(candidate) && typeField !== null ? candidate[typeField] : undefined;
    return (typeof type === 'string' ? byType.get(type) : undefined) ?? whole;
  };
  const byCode = rulesByCode(resource, contract);
  const ofRequest = checks(body);
  const accountShape = Object.fromEntries(
    Object.entries(descriptor.account.shape as Readonly<Record<string, z.ZodMiniType<string>>>).map(
      // A field of the account is checked before there is a record.
      ([name, base]) => [
        name,
        demandedText(base, FIELD_FACTS.get(base)!, (given) =>
          ofRequest({ [name]: given }).find(({ path }) => path[0] === name),
        ),
      ],
    ),
  ) as typeof descriptor.account.shape;
  const dryRun = dry_run && { dry_run: dry_run === 'required' ? flag() : z.optional(flag()) };
  return {
    ...descriptor,
    contract: title,
    rules: [
      // The operator says which fields each type has.
      ...descriptor.rules.filter((rule) => (rule as unknown) !== fieldsShownForType),
      (candidate: JsonObject, context: CheckContext) => {
        const { check, fields, of } = under(candidate);
        const found = check(candidate);
        const places = new Set(found.map(({ path }) => path.join('.')));
        // One problem of a value is enough.
        const others = byCode.flatMap((rule) => rule(candidate, context));
        return [
          ...others.filter(({ path }) => !places.has(path.join('.'))),
          ...found,
          ...unnamedIn(candidate, fields, of),
        ];
      },
    ],
    account: z.strictObject(accountShape),
    schema: whole.schema,
    schemaFor: (candidate: unknown) => under(candidate).schema,
    endpoint: {
      ...endpoint,
      request: envelope(list, { ...accountShape, ...dryRun }),
      ...(query && { query: { ...endpoint.query, ...query } }),
    },
    ...(max_records !== undefined && { maxRecords: max_records }),
    ...(dry_run && { dryRun: dry_run }),
  };
}

/** Warns of fields of the interface that the operator neither names nor forbids. */
function unnamedIn(value: unknown, fields: Fields = {}, of: string, path: Path = []): readonly Problem[] {
  if (!isJsonObject(value) && !Array.isArray(value)) return [];
  const facts = { what: `not a field of ${of}`, known: 'the fields that the contract names' };
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const [field, at] = Array.isArray(value)
      ? [fields['[]'], [...path, Number.parseInt(key, 10)]]
      : [fields[key], [...path, key]];
    if (inner === undefined || !field) return [];
    return field.unnamed
      ? [warning('undocumented_value', at, facts)]
      : unnamedIn(inner, field.fields, of, at);
  });
}

/** The fields of an object under the schemas of the operator. */
function shapeUnder(base: Shape, fields: Fields = {}, under: Under): Record<string, z.ZodMiniType> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, schemaUnder(base[name], field, under)]),
  );
}

/** @param base the schema of the interface, which keeps its kind; undefined for a field that the operator adds */
function schemaUnder(base: z.ZodMiniType | undefined, field: Field, under: Under): z.ZodMiniType {
  const narrowed = valueUnder(base && unwrapped(base), field, under);
  const isOwn = base !== undefined && !(base instanceof z.ZodMiniOptional);
  const isNullable = isOwn ? base.safeParse(null).success : field.null;
  const schema = isNullable ? z.nullable(narrowed) : narrowed;
  if (!field.required) return z.optional(schema);
  // A file has no cell for null, so an empty one is null where only the operator says that the field has to be there.
  return !isOwn && isNullable && under.end === 'file' ? z._default(schema, null) : schema;
}

function valueUnder(base: z.ZodMiniType | undefined, field: Field, under: Under): z.ZodMiniType {
  const { open, fields, wire, values } = field;
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
      if (base) return z.strictObject(shapeUnder((base as unknown as { shape: Shape }).shape, fields, under));
      const shape = shapeUnder({}, fields, under);
      return objectOnly(open ? z.catchall(z.object(shape), anyJson()) : z.strictObject(shape));
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
