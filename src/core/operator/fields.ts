import * as z from 'zod/mini';
import { accountFields } from '../contract/account.ts';
import { unwrapped } from '../contract/field.ts';
import { DESCRIPTORS, type Resource } from '../contract/resources.ts';
import { isJsonObject } from '../values/plain-json.ts';
import { FIELD_NAME, type OperatorContract, type ResourceRules, type ValueKind } from './contract.ts';
import { keywordsOf, kindOf, tightest, type Keywords } from './keywords.ts';
import {
  childOf,
  keyword,
  memberOf,
  membersOf,
  partAt,
  pointerIn,
  pointerOf,
  type Located,
  type LocatedObject,
} from './located.ts';

/** A value of a request, as schemas have it. */
export interface Field extends Keywords {
  readonly kind: ValueKind;
  /** JSON pointer into the document of the operator. */
  readonly from: string;
  /** Pointers of all its schemas, before their references; missing where there is none. */
  readonly at?: readonly string[] | undefined;
  /** The fields of an object, and the items of a list, which have the name `[]`. */
  readonly fields?: Fields | undefined;
  /** Whether an object takes any further fields, and whether it forbids them. */
  readonly isOpen?: boolean | undefined;
  readonly isClosed?: boolean | undefined;
}

export type Fields = Readonly<Record<string, Field>>;

/** The schemas of a record or of an object in it, by name. */
export type Shape = Readonly<Record<string, z.ZodMiniType>>;

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

/** The types of the records of a resource under an operator; empty where there are none, or nobody lists them. */
export function typesUnder(resource: Resource, { types }: ResourceRules): readonly string[] {
  const known = typesOf(resource);
  return known.length > 0 ? known.filter((type) => !types || type in types) : Object.keys(types ?? {});
}

/** Pointers of the schemas of the operator that a record of a type has to meet. */
export function schemasOf({ record, types }: ResourceRules, type: string | null): readonly string[] {
  return [record, type === null ? undefined : types?.[type]].filter((each) => each !== undefined);
}

/** A record of a type, as the schemas of the operator have it. @throws TooManySchemas */
export function recordUnder(
  resource: Resource,
  rules: ResourceRules,
  schemas: OperatorContract['schemas'],
  type: string | null,
): Field {
  const { list } = DESCRIPTORS[resource];
  const pointers = schemasOf(rules, type);
  if (pointers.length === 0) return { kind: 'json', from: rules.from };
  const record = fieldAt(pointers, schemas);
  const beside = list === null ? [...Object.keys(accountFields), 'dry_run'] : [];
  const fields = Object.entries(record.fields ?? {}).filter(([name]) => !beside.includes(name));
  return { ...record, fields: Object.fromEntries(fields) };
}

/** Every field inside of a value, with its path: `line_items[].params`. */
export function eachField({ fields = {} }: Field, around = ''): readonly (readonly [string, Field])[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = pathTo(around, name);
    return [[path, field] as const, ...eachField(field, path)];
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
  readonly at: Located['path'];

  constructor(at: Located['path']) {
    super('the references lead to too many schemas');
    this.at = at;
  }
}

type Reader = { readonly root: unknown; left: number };
/** Pointers of the references that lead to a value, so that a schema inside itself is noticed. */
type Open = ReadonlySet<string>;

/** The value that has to meet the schemas at all pointers. @throws TooManySchemas */
export function fieldAt(pointers: readonly string[], root: unknown): Field {
  return fieldOfSchemas(
    pointers.map((pointer) => partAt(pointer, root)),
    root,
  );
}

/** The value that has to meet all schemas. @throws TooManySchemas */
export function fieldOfSchemas(schemas: readonly Located[], root: unknown): Field {
  return fieldOf(schemas, new Set(), { root, left: MOST_SCHEMAS });
}

function fieldOf(schemas: readonly Located[], before: Open, reader: Reader): Field {
  if (--reader.left < 0) throw new TooManySchemas(schemas[0]!.path);
  const at = schemas.map(({ path }) => pointerOf(path));
  const found = partsOf(schemas, reader.root, before);
  const from = placeOf(found?.all[0] ? pointerOf(found.all[0].path) : at[0]!);
  if (!found) return { kind: 'json', from, at };
  const { all, some, open } = found;
  const values = all.map(({ value }) => value);
  const kind = kindOf(values);
  const { null: isNullable = false, ...keywords } = tightest(values.map((each) => keywordsOf(each, kind)));
  const field: Field = { ...keywords, null: isNullable, kind, from, at };
  const items = keyword(all, 'items');
  if (kind === 'list')
    return { ...field, ...(items.length > 0 && { fields: { '[]': fieldOf(items, open, reader) } }) };
  if (kind !== 'object') return field;
  const required = keyword(all, 'required').flatMap(({ value }) => value as readonly string[]);
  const said = propertiesIn(all);
  const branches = propertiesIn(some);
  const names = new Set([
    ...said.keys(),
    ...branches.keys(),
    ...required.filter((name) => FIELD_NAME.test(name)),
  ]);
  const fields = [...names].map((name): [string, Field] => {
    const own = said.get(name);
    const either = (branches.get(name) ?? []).map((each) => fieldOf([each], open, reader));
    const found = own ? fieldOf(own, open, reader) : eitherOf(either, from);
    return [name, required.includes(name) ? { ...found, required: true } : found];
  });
  const rest = [...keyword(all, 'additionalProperties'), ...keyword(all, 'unevaluatedProperties')];
  const isClosed = rest.some(({ value }) => value === false);
  const isBranched = ['oneOf', 'anyOf'].some((name) => keyword(all, name).length > 0);
  const isOpen = !isClosed && (rest.length > 0 || isBranched || said.size + branches.size === 0);
  return { ...field, fields: Object.fromEntries(fields), isOpen, isClosed };
}

/** The place of a schema in the document: the contract keeps the schemas of types at places of their own. */
export const placeOf = (pointer: string): string => pointer.replace(/\/\$defs\/.*$/s, '');

/** The schemas of each property, by its name. */
function propertiesIn(schemas: readonly LocatedObject[]): ReadonlyMap<string, readonly Located[]> {
  const members = keyword(schemas, 'properties').flatMap(membersOf);
  return Map.groupBy(
    members.filter(({ key }) => FIELD_NAME.test(key)),
    ({ key }) => key,
  );
}

/** A value that is one of several, nobody knows which: the schemas say what it may be. */
function eitherOf(values: readonly Field[], around: string): Field {
  const [first, ...others] = values;
  if (!first || others.some(({ kind }) => kind !== first.kind)) return { kind: 'json', from: around };
  if (others.length === 0) return first;
  const { kind, from, at, fields } = first;
  return {
    kind,
    from,
    ...(at && { at }),
    null: values.some((value) => value.null),
    ...(values.every((value) => value.values) && {
      values: [...new Set(values.flatMap((each) => each.values!))],
    }),
    ...(kind === 'object' && { isOpen: true }),
    ...(kind === 'list' && { fields }),
  };
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

  function collect({ value, path }: Located, into: LocatedObject[], isNullable = false): boolean {
    if (!isJsonObject(value)) return value === true;
    if (seen.size === seen.add(pointerOf(path)).size) return true;
    const { $ref: reference, ...own } = value;
    const type = isNullable && own['type'] !== undefined ? { type: [own['type'], 'null'].flat() } : {};
    if (reference === undefined || Object.keys(own).length > 0)
      into.push({ value: { ...own, ...type }, path });
    const pointer = pointerIn(reference);
    if (pointer !== undefined) {
      if (before.has(pointer)) return false;
      open.add(pointer);
      if (!collect(partAt(pointer, root), into, isNullable)) return false;
    }
    const parts = ['allOf', 'oneOf', 'anyOf'].map((name) => membersOf(memberOf({ value, path }, name)));
    if (!parts[0]!.every((part) => collect(part, into, isNullable))) return false;
    const branches = [...parts[1]!, ...parts[2]!, ...keyword([{ value, path }], 'then')];
    const otherwise = memberOf({ value, path }, 'else');
    const isUnlessNull = childOf(value['if'], 'type') === 'null';
    if (otherwise && isUnlessNull && !collect(otherwise, into, true)) return false;
    for (const branch of otherwise && !isUnlessNull ? [...branches, otherwise] : branches)
      collect(branch, some);
    return true;
  }
}
