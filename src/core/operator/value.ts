import * as z from 'zod/mini';
import { accountFields } from '../contract/account.ts';
import { FIELD_FACTS, unwrapped } from '../contract/field.ts';
import { DESCRIPTORS, type Resource } from '../contract/resources.ts';
import { FIELD_NAME, type OperatorContract, type ResourceRules, type ValueKind } from './contract.ts';
import { keywordsOf, kindOf, listed, phrasesOf, tightest, type Keywords } from './keywords.ts';
import {
  facetsOf,
  keyword,
  memberOf,
  membersOf,
  partAt,
  pointerOf,
  type Facets,
  type Located,
  type LocatedObject,
} from './located.ts';

/** A value of a request, as the interface and the schemas of the operator have it together. */
export interface Value extends Keywords {
  /** JSON pointer into the document of the operator; empty where it says nothing. */
  readonly from: string;
  /** A field of the interface keeps its kind. */
  readonly kind: ValueKind;
  readonly isOfInterface?: true;
  /** JSON pointer of the field itself, which may refer to another place. */
  readonly at?: string;
  /** Pointers of all schemas that the value has to meet. */
  readonly schemas?: readonly string[];
  readonly fields?: Values;
  /** Whether an added object may contain further fields. */
  readonly isOpen?: boolean;
  readonly item?: Value | undefined;
}

export type Values = Readonly<Record<string, Value>>;

/** The fields of a record or of an object in it, by name. */
export type Shape = Readonly<Record<string, z.ZodMiniType>>;

/** What the schemas of an operator make of the records of a resource, or what the interface says of them. */
export interface RecordView {
  readonly account: Values;
  /** The types that records have; empty where they have none, or nobody lists them. */
  readonly types: readonly string[];
  /** The fields of the records of one type; `null` for a record without types. */
  readonly fieldsOf: (type: string | null) => Values;
  /** Pointers of the schemas of the operator that a record of a type has to meet. */
  readonly schemasOf: (type: string | null) => readonly string[];
}

/** The types of the records of a resource, if the interface has a closed list of them; else none. */
export function typesOf(resource: Resource): readonly string[] {
  const { typeField, schema } = DESCRIPTORS[resource];
  const types = typeField === null ? undefined : unwrapped(schema.shape[typeField] as z.ZodMiniType);
  return types instanceof z.ZodMiniEnum ? Object.values(types.def.entries).map(String) : [];
}

export function shapeOf(resource: Resource, type: string | null): Shape {
  const { typeField, schema, schemaFor } = DESCRIPTORS[resource];
  const chosen =
    typeField === null || type === null ? schema : (schemaFor?.({ [typeField]: type }) ?? schema);
  return (chosen as unknown as { shape: Shape }).shape;
}

/** The records of a resource as the interface has them. */
export function interfaceView(resource: Resource): RecordView {
  const values = (shape: Shape): Values => mapped(shape, interfaceValue);
  return {
    account: values(accountFields),
    types: typesOf(resource),
    fieldsOf: (type) => values(shapeOf(resource, type)),
    schemasOf: () => [],
  };
}

/** Most schemas that are read of a document, each as often as others refer to it. */
export const MOST_SCHEMAS = 30_000;

/** The references of a document lead to more schemas than are read. */
export class TooManySchemas extends Error {
  readonly at: Located['path'];

  constructor(at: Located['path']) {
    super('the references lead to too many schemas');
    this.at = at;
  }
}

/** Something that an operator says of a field and that cannot be, because the interface says otherwise. */
export interface Contradiction {
  readonly type: string | null;
  readonly field: string;
  readonly says: string;
  /** Whether every record has the field. */
  readonly isNeeded: boolean;
  /** The schemas of the field; the places where they would be when the field is missing. */
  readonly at: readonly Located['path'][];
}

type Reader = {
  readonly root: unknown;
  readonly contradicts: (contradiction: Omit<Contradiction, 'type'>) => void;
  left: number;
};

type Context = {
  readonly field: string;
  readonly open: ReadonlySet<string>;
  readonly isRequired?: boolean;
};

/**
 * The records of a resource under the schemas of an operator.
 * @throws TooManySchemas
 */
export function recordView(
  resource: Resource,
  { body, record }: ResourceRules,
  schemas: OperatorContract['schemas'],
  onContradiction: (contradiction: Contradiction) => void = () => {},
): RecordView {
  const { typeField, list } = DESCRIPTORS[resource];
  const read = (type: string | null, pointers: readonly string[], shape: Shape): Values => {
    const contradicts: Reader['contradicts'] = (each) => onContradiction({ ...each, type });
    const facets = facetsOf(
      pointers.map((pointer) => partAt(pointer, schemas)),
      schemas,
    );
    if (!facets) return mapped(shape, interfaceValue);
    const context = { field: '', open: facets.open };
    return objectOf(facets, shape, context, { root: schemas, contradicts, left: MOST_SCHEMAS }).fields;
  };
  const told = record === undefined ? undefined : typesIn(facetsOf([partAt(record, schemas)], schemas));
  const of = told && told.by === typeField ? new Map(told.of) : undefined;
  const known = typesOf(resource);
  const types = known.length > 0 ? known.filter((type) => of?.has(type) ?? true) : [...(of?.keys() ?? [])];
  const schemasOf = (type: string | null): readonly string[] => {
    const branch = type === null ? undefined : of?.get(type);
    return [record, branch && pointerOf(branch.path)].filter((each) => each !== undefined);
  };
  const made = new Map<string | null, Values>();
  const recordOf = (type: string | null): Values => {
    const shape = shapeOf(resource, type);
    const fields = record === undefined ? mapped(shape, interfaceValue) : read(type, schemasOf(type), shape);
    const beside = list === null ? [...Object.keys(accountFields), 'dry_run'] : [];
    const own = Object.entries(fields).filter(([name]) => !beside.includes(name));
    // The value of the field that tells types apart is known.
    const known = of && type !== null ? { [typeField!]: interfaceValue(shape[typeField!]!) } : {};
    return { ...Object.fromEntries(own), ...known };
  };
  const account = Object.entries(read(null, [body], accountFields));
  return {
    account: Object.fromEntries(account.filter(([name]) => Object.hasOwn(accountFields, name))),
    types,
    fieldsOf(type) {
      const fields = made.get(type) ?? recordOf(type);
      made.set(type, fields);
      return fields;
    },
    schemasOf,
  };
}

/** The value of a part of a document that no interface describes. */
export function valueAt(schema: Located, root: unknown): Value {
  const reader = { root, contradicts: () => {}, left: MOST_SCHEMAS };
  return valueOf([schema], undefined, { field: '', open: new Set() }, reader);
}

/** What the interface says of a value. */
function interfaceValue(schema: z.ZodMiniType): Value {
  const value = OF_INTERFACE.get(schema) ?? madeInterfaceValue(schema);
  OF_INTERFACE.set(schema, value);
  return value;
}

const OF_INTERFACE = new WeakMap<z.ZodMiniType, Value>();

function madeInterfaceValue(schema: z.ZodMiniType): Value {
  const inner = unwrapped(schema);
  const facts = FIELD_FACTS.get(inner);
  const isChoice = inner instanceof z.ZodMiniEnum;
  const takesEmpty = inner.safeParse('').success;
  const common = {
    from: '',
    isOfInterface: true as const,
    ...(isRequired(schema) && { required: true as const }),
    null: schema.safeParse(null).success,
  };
  if (inner instanceof z.ZodMiniArray)
    return {
      ...common,
      kind: 'list',
      ...(!inner.safeParse([]).success && { minItems: 1 }),
      item: interfaceValue(inner.def.element as z.ZodMiniType),
    };
  if (!facts)
    return {
      ...common,
      kind: 'object',
      fields: mapped((inner as z.ZodMiniObject).shape as Shape, interfaceValue),
    };
  return {
    ...common,
    kind: facts.kind,
    ...(isChoice && { values: Object.values(inner.def.entries).map(String) }),
    ...(facts.kind === 'text' && !isChoice && !takesEmpty && { minLength: 1 }),
    ...(facts.max !== undefined && { maxLength: facts.max }),
    ...(facts.bounds?.positive && { minimum: 0, exclusiveMinimum: 0 }),
  };
}

const isRequired = (schema: z.ZodMiniType): boolean => !(schema instanceof z.ZodMiniOptional);

/** @param schemas the value has to meet all of them */
function valueOf(
  schemas: readonly Located[],
  base: z.ZodMiniType | undefined,
  context: Context,
  reader: Reader,
): Value {
  if (--reader.left < 0) throw new TooManySchemas(schemas[0]!.path);
  const own = base && interfaceValue(base);
  const found = facetsOf(schemas, reader.root, context.open);
  const from = placeOf((found?.all[0] ?? schemas[0]!).path);
  const demanded = { at: placeOf(schemas[0]!.path), ...(context.isRequired && { required: true as const }) };
  if (!found) return { kind: 'json', ...own, from, ...demanded };
  const facets = found.all.map(({ value }) => value);
  const types = typesIn(found);
  const kind = types ? 'object' : kindOf(facets);
  if (own && kind === 'json') return { ...own, from, ...demanded };
  const contradiction = own && contradictionOf(base, own, kind, facets);
  if (contradiction !== undefined) {
    const at = schemas.map(({ path }) => path);
    reader.contradicts({ field: context.field, says: contradiction, isNeeded: isRequired(base!), at });
    return { ...own!, ...demanded };
  }
  const isNarrowerText = own?.kind === 'text' && (kind === 'date' || kind === 'datetime');
  const as = own && !isNarrowerText ? own.kind : kind;
  const { values, ...keywords } = tightest([
    ...(own ? [own] : []),
    ...facets.map((facet) => keywordsOf(facet, as)),
  ]) as Keywords & Value;
  const usable = values?.filter(
    (value) => !base || as === 'decimal' || unwrapped(base).safeParse(value).success,
  );
  const value: Value = {
    ...keywords,
    null: keywords.null ?? false,
    ...(usable && { values: usable }),
    kind: as,
    from,
    schemas: found.all.map(({ path }) => pointerOf(path)),
    ...demanded,
  };
  const inner = { field: context.field, open: found.open };
  if (as === 'list') {
    const items = keyword(found.all, 'items');
    const element = base && ((unwrapped(base) as z.ZodMiniArray).def.element as z.ZodMiniType);
    const item =
      items.length > 0
        ? valueOf(items, element, { ...inner, field: `${context.field}[]` }, reader)
        : element && interfaceValue(element);
    return { ...value, item };
  }
  if (as !== 'object') return value;
  const shape = base && ((unwrapped(base) as z.ZodMiniObject).shape as Shape);
  const object = objectOf(found, shape, inner, reader);
  if (!types) return { ...value, ...object };
  // Each type has fields of its own: the schemas say which.
  const told = {
    ...object.fields[types.by]!,
    required: true as const,
    values: types.of.map(([type]) => type),
  };
  return { ...value, ...object, fields: { ...object.fields, [types.by]: told } };
}

/** The pointer of a place in the document, which has the types of an object in its own form. */
const placeOf = (path: Located['path']): string => pointerOf(path).replace(/\/x-types\/.*$/s, '');

/** The types of an object, as the import of the document has told them apart. */
function typesIn(
  facets: Facets | undefined,
): { by: string; of: readonly (readonly [string, Located])[] } | undefined {
  const [told] = keyword(facets?.all ?? [], 'x-types');
  if (!told) return undefined;
  const by = memberOf(told, 'by')!.value as string;
  return { by, of: membersOf(memberOf(told, 'of')).map((each) => [each.key, each]) };
}

/** The fields of an object, and whether it may have further ones. */
function objectOf(
  { all, loose }: Facets,
  shape: Shape | undefined,
  { field, open }: Context,
  reader: Reader,
): { fields: Values; isOpen: boolean } {
  const required = new Set(
    keyword(all, 'required').flatMap(({ value }) =>
      (value as string[]).filter((name) => FIELD_NAME.test(name)),
    ),
  );
  const schemas = propertiesIn(all);
  const some = propertiesIn(loose);
  const rest = [...keyword(all, 'additionalProperties'), ...keyword(all, 'unevaluatedProperties')];
  const isClosed = rest.some(({ value }) => value === false);
  const isTold = keyword(all, 'x-types').length > 0;
  const isOpen = !isClosed && !isTold && (rest.length > 0 || loose.length > 0 || schemas.size === 0);
  const further = new Set([...schemas.keys(), ...some.keys(), ...required]);
  const names = new Set([...Object.keys(shape ?? {}), ...(shape ? [...further].toSorted() : further)]);
  const at = all[0]?.path ?? [];
  const fields = [...names].flatMap((name): [string, Value][] => {
    const base = shape && Object.hasOwn(shape, name) ? shape[name] : undefined;
    const inside = field === '' ? name : `${field}.${name}`;
    const said = schemas.get(name);
    const context = { field: inside, open, isRequired: required.has(name) };
    if (said) return [[name, valueOf(said, base, context, reader)]];
    const demanded = required.has(name) ? { required: true as const } : {};
    const branches = some.get(name);
    if (branches && base) return [[name, { ...interfaceValue(base), ...demanded }]];
    if (branches) {
      const each = branches.map((branch) =>
        valueOf([branch], undefined, { ...context, isRequired: false }, reader),
      );
      return [[name, { ...eitherOf(each), ...demanded }]];
    }
    if (!base) return [[name, { from: placeOf(at), kind: 'json', ...demanded }]];
    if (!isOpen && !isRequired(base)) return [];
    const says = 'is not in the document, and required by the interface, which wins in any case';
    if (!isOpen)
      reader.contradicts({ field: inside, says, isNeeded: false, at: [[...at, 'properties', name]] });
    return [[name, { ...interfaceValue(base), ...demanded }]];
  });
  return { fields: Object.fromEntries(fields), isOpen };
}

/** The schemas of each property, by its name. */
function propertiesIn(facets: readonly LocatedObject[]): ReadonlyMap<string, readonly Located[]> {
  const members = keyword(facets, 'properties').flatMap(membersOf);
  return Map.groupBy(
    members.filter(({ key }) => FIELD_NAME.test(key)),
    ({ key }) => key,
  );
}

/** A value that is one of several, nobody knows which: the schemas say what it may be. */
function eitherOf(values: readonly Value[]): Value {
  const [first, ...others] = values as [Value, ...Value[]];
  if (others.length === 0) return first;
  const { kind, from, wire } = first;
  if (others.some((other) => other.kind !== kind)) return { kind: 'json', from };
  const lists = values.flatMap((value) => value.values ?? []);
  return {
    kind,
    from,
    null: values.some((value) => value.null),
    ...(values.every((value) => value.values) && { values: [...new Set(lists)] }),
    ...(others.every((other) => other.wire === wire) && { wire }),
    ...(kind === 'object' && {
      fields: Object.assign({}, ...values.map(({ fields }) => fields)) as Values,
      isOpen: values.some(({ isOpen }) => isOpen),
    }),
  };
}

/** The kinds of values in words. */
export const KIND_WORDS: Readonly<Record<ValueKind, string>> = {
  text: 'text',
  decimal: 'decimal',
  boolean: 'true or false',
  date: 'date',
  datetime: 'date-time',
  object: 'object',
  list: 'list',
  json: 'any JSON value',
};

/** An added value as a person reads it. */
export function wordsOf(value: Value): string {
  const { isOpen } = value;
  return [
    KIND_WORDS[value.kind],
    ...phrasesOf({ ...value, deprecated: undefined }),
    ...(isOpen ? ['further fields pass'] : []),
  ].join(', ');
}

/** Which kinds of the document a kind of the interface agrees with. A text of the document may be any text. */
const AGREEING: Readonly<Partial<Record<ValueKind, readonly ValueKind[]>>> = {
  text: ['text', 'date', 'datetime'],
  decimal: ['decimal', 'text'],
  date: ['date', 'text'],
  datetime: ['datetime', 'text'],
};

/** Why a value of the document cannot be a value of the interface; undefined when both go together. */
function contradictionOf(
  base: z.ZodMiniType | undefined,
  own: Value,
  kind: ValueKind,
  facets: readonly LocatedObject['value'][],
): string | undefined {
  const isText = facets.some(({ type }) => [type].flat().includes('string'));
  const isDecimalText = own.kind === 'text' && kind === 'decimal' && isText;
  if (!isDecimalText && !(AGREEING[own.kind] ?? [own.kind]).includes(kind))
    return `is ${KIND_WORDS[kind]}, and ${KIND_WORDS[own.kind]} in the interface`;
  if (own.kind !== 'text') return undefined;
  const { values } = tightest(facets.map((facet) => keywordsOf(facet, 'text')));
  const isUsable = !values || values.some((value) => unwrapped(base!).safeParse(value).success);
  return isUsable
    ? undefined
    : `has no value that the interface has: ${listed(values) || 'its list is empty'}`;
}

function mapped(shape: Shape, of: (schema: z.ZodMiniType) => Value): Values {
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, of(schema)]));
}
