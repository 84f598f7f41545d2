import * as z from 'zod/mini';
import { conditions, type ConditionSpec } from './conditions.ts';
import type { CellKind, FieldShape, LeafShape, ListShape, ObjectShape } from './fields.ts';
import type { LookupSpec } from './lookup.ts';
import { filledList, filledText, wholeNumber, withOneOf, yesNo } from './schemas.ts';
import { joinedSourceSchema, type SourceSpec } from './source.ts';
import { CELL_KEYS, type StepSpec } from './steps.ts';
import { TRANSFORMS } from './transforms.ts';
import { described, optionalKey } from '../../../core/schema.ts';

/** Where the text of a field comes from, when the field has a value, and its steps. */
export interface ValueSpec extends Partial<StepSpec>, LookupSpec {
  readonly column?: string;
  readonly constant?: string;
  readonly template?: string;
  readonly debit?: string;
  readonly credit?: string;
  /** Whether the amounts of all rows of the record are added up. */
  readonly sum?: boolean;
  readonly required?: boolean;
  readonly when?: readonly ConditionSpec[];
}

/** The fields of an item, or the single value of an item. */
export type ItemSpec = FieldSpec | Readonly<Record<string, FieldSpec>>;

/** The source of a list: a cell with JSON, numbered columns, a list of JSON Lines, rows that continue a record, or a second file. */
export interface ListSpec extends ValueSpec {
  readonly items?: readonly ItemSpec[];
  readonly repeat?: { readonly from: number; readonly to: number };
  readonly item?: ItemSpec;
  readonly rows?: { readonly when?: readonly ConditionSpec[]; readonly item: ItemSpec };
  readonly join?: JoinSpec;
  /** The fields of an object, which only the contract of an operator adds. */
  readonly fields?: Readonly<Record<string, FieldSpec>>;
  readonly each?: EachSpec;
}

/** The objects of a list of JSON Lines. The columns of the item are key paths inside of them. */
export type EachSpec = Readonly<{ column: string; when?: readonly ConditionSpec[]; item: ItemSpec }>;

/** Rows of a second file that belong to a record. */
export interface JoinSpec {
  readonly file: string;
  readonly source?: Omit<SourceSpec, 'trailer'>;
  /** Column of the record → column of the second file. */
  readonly key: Readonly<Record<string, string>>;
  readonly when?: readonly ConditionSpec[];
  readonly item: ItemSpec;
}

/** The name of a column, an object, or a list of alternatives. The first alternative whose condition holds applies. */
export type FieldSpec = string | ListSpec | readonly (string | ListSpec)[];

/** The alternatives of a field as objects. A name of a column is short for an object with `column`. */
export function alternativesOf(spec: FieldSpec): readonly ListSpec[] {
  const list = Array.isArray(spec) ? (spec as readonly (string | ListSpec)[]) : [spec as string | ListSpec];
  return list.map((each) => (typeof each === 'string' ? { column: each } : each));
}

const COMMON_KEYS = {
  required: optionalKey(
    yesNo(),
    'Whether a missing value is an error, also where the interface does not need it.',
  ),
  when: optionalKey(conditions, 'When the field has a value. Otherwise it is left out.'),
};

export function fieldSchema(
  name: string,
  shape: FieldShape,
  sources: typeof TOP_LEVEL | typeof INSIDE = TOP_LEVEL,
): z.ZodMiniType {
  if (shape.kind === 'leaf') return LEAF_SCHEMAS[shape.facts.kind];
  return shape.kind === 'object' ? objectSchema(shape) : listSchema(name, shape, sources);
}

function objectSchema(shape: ObjectShape): z.ZodMiniType {
  const object = z.strictObject({
    column: optionalKey(filledText(), 'A column with JSON in the shape of the contract.'),
    fields: optionalKey(itemSchema(shape), 'Where the value of each field of the object comes from.'),
    ...stepKeys('json'),
    ...COMMON_KEYS,
  });
  return alternatives(withOneOf(object as z.ZodMiniType, [['column'], ['fields']]));
}

const LEAF_SCHEMAS = {
  text: leafSchema('text'),
  decimal: leafSchema('decimal'),
  boolean: leafSchema('boolean'),
  date: leafSchema('date'),
  datetime: leafSchema('datetime'),
  json: leafSchema('json'),
};

function leafSchema(kind: LeafShape['facts']['kind']): z.ZodMiniType {
  const keys = {
    column: optionalKey(filledText(), 'The column with the value.'),
    constant: optionalKey(filledText(), 'The value itself, the same for every record.'),
    template: optionalKey(
      filledText(),
      'A text with columns in it, such as {Document}-{Position}. Write {{ and }} for braces.',
    ),
    ...stepKeys(kind),
    ...COMMON_KEYS,
  };
  const amountKeys = {
    debit: optionalKey(filledText(), 'The column of debits; the value is debit minus credit.'),
    credit: optionalKey(filledText(), 'The column of credits.'),
    sum: optionalKey(
      yesNo(),
      'With `continuation`: whether the column, or debit minus credit, is added up exactly over the rows of the record.',
    ),
  };
  const sources = [['column'], ['constant'], ['template']] as const;
  const object: z.ZodMiniType =
    kind === 'decimal'
      ? withOneOf(z.strictObject({ ...keys, ...amountKeys }), [...sources, ['debit', 'credit']])
      : withOneOf(z.strictObject(keys), sources);
  return alternatives(object).register(z.globalRegistry, { id: `${kind}_field` });
}

function stepKeys(kind: CellKind): Record<string, z.ZodMiniType> {
  return Object.assign(
    {},
    CELL_KEYS,
    ...TRANSFORMS.filter(({ kinds }) => kinds.includes(kind)).map(({ keys }) => keys),
  );
}

/** The short form, the full form, or a list of both. */
function alternatives(object: z.ZodMiniType): z.ZodMiniType {
  return z.union([filledText(), object, filledList(z.union([filledText(), object]))]);
}

/** Rows, second files and lists of JSON Lines make items of a record. A list inside an item has none of these. */
const TOP_LEVEL = [['column'], ['items'], ['repeat', 'item'], ['rows'], ['join'], ['each']] as const;
const INSIDE = [['column'], ['items'], ['repeat', 'item']] as const;

function listSchema(
  name: string,
  { item }: ListShape,
  sources: typeof TOP_LEVEL | typeof INSIDE,
): z.ZodMiniType {
  const itemOf =
    item.kind === 'leaf'
      ? LEAF_SCHEMAS[item.facts.kind]
      : itemSchema(item).register(z.globalRegistry, { id: `item_of_${name}` });
  const keys = {
    column: optionalKey(filledText(), 'A column with JSON in the shape of the interface.'),
    items: optionalKey(filledList(itemOf), 'One entry for each item.'),
    repeat: optionalKey(
      z.strictObject({ from: wholeNumber(0, 999), to: wholeNumber(0, 999) }),
      'Makes one item for each number, which replaces `{n}` in names of columns.',
    ),
    item: optionalKey(itemOf, 'The item that is repeated.'),
    ...stepKeys('json'),
    ...COMMON_KEYS,
  };
  const object = z.strictObject(sources === INSIDE ? keys : { ...keys, ...rowSourceKeys(itemOf) });
  return alternatives(
    withOneOf(object as z.ZodMiniType, sources).register(z.globalRegistry, { id: `list_of_${name}` }),
  );
}

/** The keys of lists that take rows, of the record or of a second file. */
function rowSourceKeys(item: z.ZodMiniType): Record<string, z.ZodMiniType> {
  const rowKeys = {
    when: optionalKey(conditions, 'Which rows make an item. Default: all of them.'),
    item: described(z.clone(item), 'The item that each row makes.'),
  };
  const joinKeys = {
    file: described(filledText(), 'A file of CSV or JSON Lines, relative to the mapping file.'),
    source: optionalKey(joinedSourceSchema, 'How the second file is read, where it differs from the first.'),
    key: described(z.record(z.string(), filledText()), 'Column here: column there.'),
  };
  return {
    rows: optionalKey(z.strictObject(rowKeys), 'One item for each row of the record.'),
    join: optionalKey(
      z.strictObject({ ...joinKeys, ...rowKeys }),
      'One item for each row of a second file that has the same key.',
    ),
    each: optionalKey(
      z.strictObject({ column: described(filledText(), 'The key path of the list.'), ...rowKeys }),
      'One item for each object of a list of JSON Lines. Columns in it are key paths inside of the object.',
    ),
  };
}

function itemSchema({ fields, isOpen }: ObjectShape): z.ZodMiniType {
  const schemas = Object.entries(fields).map(([name, shape]) => [
    name,
    z.optional(fieldSchema(name, shape, INSIDE)),
  ]);
  const object = Object.fromEntries(schemas) as Record<string, z.ZodMiniType>;
  return isOpen ? z.catchall(z.object(object), LEAF_SCHEMAS.text) : z.strictObject(object);
}
