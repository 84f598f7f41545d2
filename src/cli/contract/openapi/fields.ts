import * as z from 'zod/mini';
import { accountFields } from '../../../core/contract/account.ts';
import { FIELD_FACTS, unwrapped, type FieldKind } from '../../../core/contract/field.ts';
import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { FIELD_NAME, type Field, type Fields, type ValueKind } from '../../../core/operator/contract.ts';
import { shapeOf, type Shape } from '../../../core/operator/narrow.ts';
import { listed } from '../../../core/operator/operator-check.ts';
import { Pattern } from '../../../core/values/pattern.ts';
import { childOf, isJsonObject, type JsonObject } from '../../../core/values/plain-json.ts';
import {
  keyword,
  memberOf,
  membersOf,
  partAt,
  pointerIn,
  words,
  type Located,
  type LocatedObject,
} from './located.ts';

/** Whether the smaller of two numbers is the tighter one for a keyword; else it is the greater one. */
export const isUpper = (name: string): boolean => /max/i.test(name);

/**
 * A record that has to meet the schemas of the operator, too.
 * @param pointers to those of records of all types, and of this one
 * @throws TooManySchemas
 */
export function recordField(
  resource: Resource,
  type: string | null,
  pointers: readonly (string | undefined)[] = [],
  root: unknown = {},
): Field {
  const schemas = pointers.flatMap((each) => (each === undefined ? [] : partAt(each, root)));
  const { fields = {}, ...record } = fieldUnder(shapeOf(resource, type), schemas, root);
  const beside = DESCRIPTORS[resource].list === null ? [...Object.keys(accountFields), 'dry_run'] : [];
  const own = Object.entries(fields).filter(([name]) => !beside.includes(name));
  return { ...record, fields: Object.fromEntries(own) };
}

/** What the fields of records of several types are together. */
export function fieldsOfTypes(types: readonly Fields[]): Fields {
  return eitherOf(types.map((fields) => ({ kind: 'object', from: '', fields }))).fields ?? {};
}

/** An object of the interface that has to meet the schemas of the operator, too. @throws TooManySchemas */
export function fieldUnder(shape: Shape, schemas: readonly Located[], root: unknown): Field {
  return fieldOf(schemas, interfaceObject(shape), '', new Set(), { root, left: MOST_SCHEMAS });
}

const OF_KIND: Readonly<Record<FieldKind, JsonObject>> = {
  text: { type: 'string' },
  decimal: { type: ['number', 'string'], format: 'decimal' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time' },
  json: {},
};

function interfaceObject(shape: Shape): JsonObject {
  const names = Object.keys(shape).filter((name) => !(shape[name] instanceof z.ZodMiniOptional));
  const properties = Object.entries(shape).map(([name, schema]) => [name, interfaceValue(schema)]);
  return { type: 'object', required: names, properties: Object.fromEntries(properties) };
}

/** What the interface says of a value, in the words of JSON Schema. */
function interfaceValue(schema: z.ZodMiniType): JsonObject {
  const inner = unwrapped(schema);
  const { kind, max, bounds, unit } = FIELD_FACTS.get(inner) ?? {};
  const items = inner instanceof z.ZodMiniArray ? (inner.def.element as z.ZodMiniType) : undefined;
  const values = inner instanceof z.ZodMiniEnum ? Object.values(inner.def.entries) : undefined;
  const takes = (value: unknown): boolean => inner.safeParse(value).success;
  const own: JsonObject = {
    ...(items && { type: 'array', items: interfaceValue(items) }),
    ...(items && !takes([]) && { minItems: 1 }),
    ...(inner instanceof z.ZodMiniObject && interfaceObject(inner.shape as Shape)),
    ...(kind && OF_KIND[kind]),
    ...(values && { enum: values }),
    ...(kind === 'text' && !values && !takes('') && { minLength: 1 }),
    ...(max !== undefined && { maxLength: max }),
    ...(unit && { unit }),
    ...(bounds?.positive && { minimum: 0, exclusiveMinimum: 0 }),
  };
  return own['type'] && schema.safeParse(null).success ? { ...own, type: [own['type'], 'null'].flat() } : own;
}

/** Every field, and those inside of it, by their paths: `line_items[].params`. */
export function eachField(fields: Fields = {}, around = ''): readonly (readonly [string, Field])[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = pathTo(around, name);
    return [[path, field] as const, ...eachField(field.fields, path)];
  });
}

/** The path of a field of an object, or of the items of a list. */
export function pathTo(around: string, name: string): string {
  return around === '' || name === '[]' ? `${around}${name}` : `${around}.${name}`;
}

/** Most schemas that are read of a value, each as often as others refer to it. */
export const MOST_SCHEMAS = 30_000;

/** The references of a document lead to more schemas than are read. */
export class TooManySchemas extends Error {
  readonly at: string;

  constructor(at: string) {
    super('the references lead to too many schemas');
    this.at = at;
  }
}

type Reader = { readonly root: unknown; left: number };
/** Pointers of the references that lead to a value, so that a schema inside itself is noticed. */
type Open = ReadonlySet<string>;

/** The value that has to meet all schemas. @throws TooManySchemas */
export function fieldOfSchemas(schemas: readonly Located[], root: unknown): Field {
  return fieldOf(schemas, undefined, '', new Set(), { root, left: MOST_SCHEMAS });
}

/** @param own what the interface says of the value, without references and branches */
function fieldOf(
  schemas: readonly Located[],
  own: JsonObject | undefined,
  around: string,
  before: Open,
  reader: Reader,
): Field {
  if (--reader.left < 0) throw new TooManySchemas(schemas[0]?.at ?? '');
  // What a schema inside itself says is left out.
  const { all, some, open } = partsOf(schemas, reader.root, before) ?? { all: [], some: [], open: before };
  const from = schemas[0] ? placeOf(schemas[0].at) : around;
  const theirs = all.map((each) => each.value);
  const said = keywordsOf(own ? [own, ...theirs] : theirs);
  // Branches that are objects make one of a value of which nothing else is said.
  const isObject =
    said.kind === 'json' && some.length > 0 && some.every((each) => typesIn(each.value).has('object'));
  const ofTheirs = keywordsOf(theirs);
  // A value that may be left out may be null where the operator says so.
  const mayBeNull = said.null ?? ofTheirs.null;
  const value = { ...said, from, null: mayBeNull, ...(isObject && { kind: 'object' as const }) };
  const contradicts = own && (whyNone(value, keywordsOf([own]), ofTheirs) ?? whyNoUnit(own, all));
  const field: Field = { ...value, ...(contradicts !== undefined && { contradicts }) };
  if (field.kind === 'list') {
    const [items, ownItems] = [keyword(all, 'items'), own?.['items'] as JsonObject | undefined];
    const item = () => fieldOf(items, ownItems, from, open, reader);
    return items.length > 0 || ownItems ? { ...field, fields: { '[]': item() } } : field;
  }
  if (field.kind !== 'object') return field;
  const [properties, branches] = [propertiesIn(all), propertiesIn(some)];
  const ofInterface = (own?.['properties'] ?? {}) as Readonly<Record<string, JsonObject>>;
  const required = new Set(keyword(all, 'required').flatMap((each) => each.value as readonly string[]));
  const names = new Set([...properties.keys(), ...branches.keys(), ...required]);
  const rest = [...keyword(all, 'additionalProperties'), ...keyword(all, 'unevaluatedProperties')];
  const isClosed = rest.some((each) => each.value === false);
  const isBranched = ['oneOf', 'anyOf'].some((name) => keyword(all, name).length > 0);
  const isOpen = !isClosed && (rest.length > 0 || isBranched || properties.size + branches.size === 0);
  const added = [...names].filter((name) => FIELD_NAME.test(name)).toSorted();
  const inner = new Set([...Object.keys(ofInterface), ...added]);
  const fields = [...inner].flatMap((name): [string, Field][] => {
    const choices = branches.get(name) ?? [];
    const read = (more: readonly Located[]): Field =>
      fieldOf([...(properties.get(name) ?? []), ...more], ofInterface[name], from, open, reader);
    const member = choices.length > 1 ? eitherOf(choices.map((each) => read([each]))) : read(choices);
    const isOwn = (own?.['required'] as readonly string[] | undefined)?.includes(name);
    const known = { ...member, ...((isOwn || required.has(name)) && { required: true as const }) };
    if (isOpen || names.has(name)) return [[name, known]];
    if (!isClosed) return [[name, { ...known, unnamed: true }]];
    const forbidden = { unnamed: true, contradicts: 'is forbidden, and required in the interface' } as const;
    return isOwn ? [[name, { ...known, kind: undefined, ...forbidden }]] : [];
  });
  return { ...field, fields: Object.fromEntries(fields), ...(isOpen && { open: true }) };
}

/** Why the schemas of the interface and those of the operator have no value in common. */
function whyNone({ kind, values }: Value, own: Value, theirs: Value): string | undefined {
  if (kind === undefined) return `is ${wordOf(theirs.kind)}, and ${wordOf(own.kind)} in the interface`;
  if (values?.length !== 0) return undefined;
  return `has no value that the interface has: ${listed(theirs.values ?? []) || 'its list is empty'}`;
}

/** Why nobody knows in which unit an amount is: one with decimals is hardly in minor units. */
function whyNoUnit(own: JsonObject, theirs: readonly Located[]): string | undefined {
  const isDecimal = keyword(theirs, 'format').some(({ value }) => value === 'decimal');
  const patterns = keyword(theirs, 'pattern').map(({ value }) => new Pattern(String(value as string)));
  return own['unit'] === 'minor' && isDecimal && patterns.every((pattern) => pattern.test('12.50'))
    ? 'takes decimals, and a whole number of minor units is sent: ask the operator which unit it means'
    : undefined;
}

/** A keyword with its value, cut where it is long. */
export const keywordPhrase = (said: string): string =>
  `\`${said.slice(0, 100)}${said.length > 100 ? '…' : ''}\``;

/** A kind of values as a person says it. */
export const wordOf = (kind: ValueKind = 'json'): string =>
  ({ boolean: 'true or false', datetime: 'date-time', json: 'any JSON value' })[kind as string] ?? kind;

/** The place of a schema in the document: the contract keeps the schemas of types at places of their own. */
const placeOf = (pointer: string): string => pointer.replace(/\/\$defs\/.*$/s, '');

/** The schemas of each property, by its name. */
function propertiesIn(schemas: readonly LocatedObject[]): ReadonlyMap<string, readonly Located[]> {
  const members = keyword(schemas, 'properties').flatMap(membersOf);
  return Map.groupBy(
    members.filter(({ key }) => FIELD_NAME.test(key)),
    ({ key }) => key,
  );
}

/** A value that is one of several, nobody knows which: what they may be together. */
function eitherOf(values: readonly Field[]): Field {
  const [first, ...others] = values as [Field, ...Field[]];
  if (others.length === 0) return first;
  const { kind, wire, from } = first;
  const every = (is: (value: Field) => unknown): boolean => values.every(is);
  const common = { from, ...(values.some((value) => value.null) && { null: true as const }) };
  if (!every((value) => value.kind === kind)) return { ...common, kind: 'json' };
  const names = new Set(values.flatMap(({ fields = {} }) => Object.keys(fields)));
  const fields = [...names].map((name): [string, Field] => {
    const found = values.flatMap((value) => value.fields?.[name] ?? []);
    const isRequired = found.length === values.length && found.every(({ required }) => required);
    return [name, { ...eitherOf(found), required: isRequired || undefined }];
  });
  return {
    ...common,
    kind,
    ...(every((value) => value.values) && {
      values: [...new Set(values.flatMap((value) => value.values!))],
    }),
    ...(every((value) => value.wire === wire) && { wire }),
    ...(names.size > 0 && { fields: Object.fromEntries(fields) }),
    ...(values.some((value) => value.open) && { open: true }),
  };
}

const KINDS: Readonly<Record<string, ValueKind>> = {
  string: 'text',
  number: 'decimal',
  boolean: 'boolean',
  object: 'object',
  array: 'list',
};
const FORMATS = { decimal: 'decimal', date: 'date', 'date-time': 'datetime' } as const;

/** Keywords that make a field. All others are compared as they are. */
const READ_KEYWORDS = words(
  'unit type enum const properties required items additionalProperties unevaluatedProperties $ref $defs allOf if then else',
);

/** What is said of a value itself. */
type Value = Omit<Field, 'from' | 'fields'>;

/** What schemas say together of a value itself, without what is in it. A keyword that is missing is no limit. */
function keywordsOf(schemas: readonly JsonObject[]): Value {
  const said = (name: string): readonly unknown[] =>
    schemas.flatMap(({ [name]: value }) => (value === undefined ? [] : [value]));
  const all = schemas.map(typesIn).filter((types) => types.size > 0);
  const types = all.reduce((a, b) => a.intersection(b), all[0] ?? new Set());
  const formats = [...new Set(said('format'))].filter((name) => Object.hasOwn(FORMATS, String(name)));
  const others = [...types].filter((type) => type !== 'null');
  const isDecimal = formats[0] === 'decimal' && others.every((type) => /^(?:number|string)$/.test(type));
  const isNone = (all.length > 0 && types.size === 0) || formats.length > 1;
  const only = others.length === 1 ? KINDS[others[0]!] : undefined;
  const format = only === 'text' ? FORMATS[formats[0] as keyof typeof FORMATS] : undefined;
  const kind = isNone ? undefined : others.length > 0 && isDecimal ? 'decimal' : (format ?? only ?? 'json');
  const limits: Record<string, number> = {};
  const keywords = new Set<string>();
  for (const [name, given] of schemas.flatMap((schema) => Object.entries(schema))) {
    if (name === 'type' && given === 'integer') keywords.add('type: integer');
    else if (typeof given === 'number' && name !== 'const') {
      const tightest = Math[isUpper(name) ? 'min' : 'max'](limits[name] ?? given, given);
      // A limit of 0 at the lower end says nothing of a length.
      if (tightest !== 0 || !/^min[LI]/.test(name)) limits[name] = tightest;
    } else if (!READ_KEYWORDS.has(name) && (name !== 'format' || given === 'uuid'))
      keywords.add(`${name}: ${typeof given === 'string' ? given : JSON.stringify(given)}`);
  }
  const lists = schemas.map(valuesIn).filter((list) => list !== undefined);
  const values = lists
    .reduce((a, b) => a.filter((value) => b.includes(value)), lists[0] ?? [])
    .filter((value) => value !== null)
    .map(String);
  const isUsable = (value: string): boolean =>
    // No text of the interface is blank, and only some may be empty.
    kind !== 'text' || value.trim() !== '' || (value === '' && !said('minLength').some(Boolean));
  const isNumber = types.has('number');
  return {
    kind,
    ...(types.has('null') && { null: true }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(keywords.size > 0 && { keywords: [...keywords].toSorted() }),
    ...(lists.length > 0 && kind !== 'object' && kind !== 'list' && { values: values.filter(isUsable) }),
    ...(isNumber !== types.has('string') && { wire: isNumber ? 'number' : 'string' }),
  };
}

/** The values of a list; undefined where there is none. */
export function valuesIn({ enum: list, const: constant }: JsonObject): readonly unknown[] | undefined {
  return Array.isArray(list) ? (list as unknown[]) : constant === undefined ? undefined : [constant];
}

/** The types that a schema allows, by its words or by keywords of one type; none where it does not say. */
export function typesIn(schema: JsonObject): ReadonlySet<string> {
  const values = valuesIn(schema);
  const has = (...names: readonly string[]): boolean => names.some((name) => schema[name] !== undefined);
  const types = has('type')
    ? [schema['type']].flat()
    : has('properties', 'required')
      ? ['object']
      : has('items')
        ? ['array']
        : has('pattern', 'minLength', 'maxLength') || schema['format'] === 'decimal'
          ? ['string']
          : (values ?? []).map((value) => (value === null ? 'null' : typeof value));
  const isOutside = (type: unknown): boolean => type === 'null' && values?.includes(null) === false;
  return new Set(
    types.flatMap((type) => (isOutside(type) ? [] : type === 'integer' ? 'number' : String(type))),
  );
}

/** The schemas that a value has to meet all at once, and those of which it meets one or several. */
interface Parts {
  readonly all: LocatedObject[];
  readonly some: LocatedObject[];
  readonly open: Open;
}

/** Collects the schemas behind references and `allOf`. Undefined for a schema that contains itself, and for one that is no object. */
export function partsOf(
  schemas: readonly Located[],
  root: unknown,
  before: Open = new Set(),
): Parts | undefined {
  const [all, some]: [LocatedObject[], LocatedObject[]] = [[], []];
  const open = new Set(before);
  const seen = new Set<string>();
  return schemas.every((schema) => collect(schema, all)) ? { all, some, open } : undefined;

  function collect({ value, at }: Located, into: LocatedObject[], isNullable = false): boolean {
    if (!isJsonObject(value)) return value === true;
    if (seen.size === seen.add(at).size) return true;
    const { $ref: reference, ...own } = value;
    const type = isNullable && own['type'] !== undefined ? { type: [own['type'], 'null'].flat() } : {};
    if (reference === undefined || Object.keys(own).length > 0) into.push({ value: { ...own, ...type }, at });
    const pointer = pointerIn(reference);
    if (pointer !== undefined) {
      if (before.has(pointer)) return false;
      open.add(pointer);
      if (!collect(partAt(pointer, root), into, isNullable)) return false;
    }
    const parts = ['allOf', 'oneOf', 'anyOf'].map((name) => membersOf(memberOf({ value, at }, name)));
    if (!parts[0]!.every((part) => collect(part, into, isNullable))) return false;
    const branches = [...parts[1]!, ...parts[2]!, ...keyword([{ value, at }], 'then')];
    const otherwise = memberOf({ value, at }, 'else');
    const isUnlessNull = childOf(value['if'], 'type') === 'null';
    if (otherwise && isUnlessNull && !collect(otherwise, into, true)) return false;
    for (const branch of otherwise && !isUnlessNull ? [...branches, otherwise] : branches)
      collect(branch, some);
    return true;
  }
}
