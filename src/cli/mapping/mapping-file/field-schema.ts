import * as z from 'zod/mini';
import { described } from '../../../core/schema.ts';
import type { CellKind } from '../column.ts';
import type { FieldShape, LeafShape, ListShape, ObjectShape } from '../field-shape.ts';
import { TRANSFORMS } from '../transforms.ts';
import { conditions, type ConditionSpec } from './condition-schema.ts';
import { withOneOf } from './exclusive-keys.ts';
import { filledText, wholeNumber, yesNo } from './scalars.ts';
import { joinedSourceSchema, type SourceSpec } from './source-schema.ts';
import type { StepSpec } from './step-keys.ts';

/** Where the text of a field comes from, whether it is taken, and its steps. */
export interface ValueSpec extends Partial<StepSpec> {
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

/** The fields of an item, or the one value that it is. */
export type ItemSpec = FieldSpec | Readonly<Record<string, FieldSpec>>;

/** A list: the cell of a JSON text, items of numbered columns, of continued rows, or of a second file. */
export interface ListSpec extends ValueSpec {
  readonly items?: readonly ItemSpec[];
  readonly repeat?: { readonly from: number; readonly to: number };
  readonly item?: ItemSpec;
  readonly rows?: { readonly when?: readonly ConditionSpec[]; readonly item: ItemSpec };
  readonly join?: JoinSpec;
}

/** Rows of a second file that belong to a record. */
export interface JoinSpec {
  readonly file: string;
  readonly source?: Omit<SourceSpec, 'trailer'>;
  /** Column of the record → column of the second file. */
  readonly key: Readonly<Record<string, string>>;
  readonly when?: readonly ConditionSpec[];
  readonly item: ItemSpec;
}

/** A column by its name, a source with steps, or alternatives of which the first is taken whose condition holds. */
export type FieldSpec = string | ListSpec | readonly (string | ListSpec)[];

const COMMON_KEYS = {
  required: described(
    z.optional(yesNo()),
    'Whether a missing value is an error although the interface does not need it.',
  ),
  when: described(z.optional(conditions), 'When the field has a value; otherwise it is left out.'),
};

/** The schema of one field of the contract. */
export function fieldSchema(name: string, shape: FieldShape): z.ZodMiniType {
  return shape.kind === 'leaf' ? LEAF_SCHEMAS[shape.facts.kind] : listSchema(name, shape, TOP_LEVEL);
}

const COLUMN = described(z.optional(filledText()), 'The column that the value stands in.');

const LEAF_SCHEMAS = {
  text: leafSchema('text'),
  decimal: leafSchema('decimal'),
  boolean: leafSchema('boolean'),
  date: leafSchema('date'),
  datetime: leafSchema('datetime'),
};

function leafSchema(kind: LeafShape['facts']['kind']): z.ZodMiniType {
  const keys = {
    column: COLUMN,
    constant: described(z.optional(filledText()), 'The value itself, the same for every record.'),
    template: described(
      z.optional(filledText()),
      'A text with columns in it, such as {Document}-{Position}; braces of its own are {{ and }}.',
    ),
    ...stepKeys(kind),
    ...COMMON_KEYS,
  };
  const sources = [['column'], ['constant'], ['template']] as const;
  const object =
    kind === 'decimal'
      ? withOneOf(
          z.strictObject({
            ...keys,
            debit: described(
              z.optional(filledText()),
              'The column of debits; the value is debit minus credit.',
            ),
            credit: described(z.optional(filledText()), 'The column of credits.'),
            sum: described(
              z.optional(yesNo()),
              'With `continuation`: the exact sum of the column, or of the two, over the rows of the record.',
            ),
          }),
          [...sources, ['debit', 'credit']],
        )
      : withOneOf(z.strictObject(keys), sources);
  return alternatives(object).register(z.globalRegistry, { id: `${kind}_field` });
}

function stepKeys(kind: CellKind): Record<string, z.ZodMiniType> {
  return Object.assign({}, ...TRANSFORMS.filter(({ kinds }) => kinds.includes(kind)).map(({ keys }) => keys));
}

/** The short form, the full form, or a list of both. */
function alternatives(object: z.ZodMiniType): z.ZodMiniType {
  return z.union([filledText(), object, z.array(z.union([filledText(), object])).check(z.minLength(1))]);
}

/** Rows and second files make items of a record; a list inside an item has neither. */
const TOP_LEVEL = [['column'], ['items'], ['repeat', 'item'], ['rows'], ['join']] as const;
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
    column: described(z.optional(filledText()), 'A column with JSON in the shape of the interface.'),
    items: described(z.optional(z.array(itemOf).check(z.minLength(1))), 'One entry for each item.'),
    repeat: described(
      z.optional(z.strictObject({ from: wholeNumber(0, 999), to: wholeNumber(0, 999) })),
      'Makes one item for each number; `{n}` in names of columns stands for it.',
    ),
    item: described(z.optional(itemOf), 'The item that is repeated.'),
    empty: described(z.optional(z.enum(['omit'])), 'A list without items is left out.'),
    ...stepKeys('json'),
    ...COMMON_KEYS,
  };
  const rowKeys = {
    when: described(z.optional(conditions), 'Which of the rows make an item. Default: all of them.'),
    item: described(z.clone(itemOf), 'The item that each row makes.'),
  };
  const object =
    sources === INSIDE
      ? z.strictObject(keys)
      : z.strictObject({
          ...keys,
          rows: described(z.optional(z.strictObject(rowKeys)), 'One item for each row of the record.'),
          join: described(
            z.optional(
              z.strictObject({
                file: described(filledText(), 'A CSV file, relative to the CSV file or to the mapping file.'),
                source: described(
                  z.optional(joinedSourceSchema),
                  'How the second file is read, where it differs from the first.',
                ),
                key: described(z.record(z.string(), filledText()), 'Column here: column there.'),
                ...rowKeys,
              }),
            ),
            'One item for each row of a second file that has the same key.',
          ),
        });
  return alternatives(
    withOneOf(object as z.ZodMiniType, sources).register(z.globalRegistry, { id: `list_of_${name}` }),
  );
}

function itemSchema({ fields }: ObjectShape): z.ZodMiniType {
  const schemas = Object.entries(fields).map(([name, shape]) => [
    name,
    z.optional(shape.kind === 'leaf' ? fieldSchema(name, shape) : listSchema(name, shape, INSIDE)),
  ]);
  return z.strictObject(Object.fromEntries(schemas) as Record<string, z.ZodMiniType>);
}
