import type { FieldShape, LeafShape, ListShape, ObjectShape } from './field-shape.ts';
import type { ConditionSpec } from './mapping-file/condition-schema.ts';
import type { FieldSpec, ItemSpec, ListSpec } from './mapping-file/field-schema.ts';

/** The items that `repeat` stands for: one for each number, which takes the place of `{n}` in names of columns. */
export function repeatedItems(
  { repeat, item }: Pick<ListSpec, 'repeat' | 'item'>,
  shape: ListShape['item'],
): readonly ItemSpec[] {
  if (!repeat || item === undefined) return [];
  const count = repeat.to - repeat.from + 1;
  return Array.from({ length: count }, (_, index) => numberedItem(item, shape, String(repeat.from + index)));
}

function numberedItem(item: ItemSpec, shape: LeafShape | ObjectShape, number: string): ItemSpec {
  if (shape.kind === 'leaf') return numberedField(item as FieldSpec, shape, number);
  const fields = Object.entries(item as Readonly<Record<string, FieldSpec>>);
  return Object.fromEntries(
    fields.map(([name, spec]) => [name, numberedField(spec, shape.fields[name]!, number)]),
  );
}

function numberedField(spec: FieldSpec, shape: FieldShape, number: string): FieldSpec {
  const each = (alternative: string | ListSpec): string | ListSpec =>
    typeof alternative === 'string' ? named(alternative, number) : numberedSpec(alternative, shape, number);
  return Array.isArray(spec)
    ? (spec as readonly (string | ListSpec)[]).map(each)
    : each(spec as string | ListSpec);
}

/** Everything but names of columns stays the very same: lookup tables are known by their identity. */
function numberedSpec(spec: ListSpec, shape: FieldShape, number: string): ListSpec {
  const { column, template, debit, credit, when, items } = spec;
  const name = (key: string, text: string | undefined): object =>
    text === undefined ? {} : { [key]: named(text, number) };
  return {
    ...spec,
    ...name('column', column),
    ...name('template', template),
    ...name('debit', debit),
    ...name('credit', credit),
    ...(when ? { when: when.map((condition) => numberedCondition(condition, number)) } : {}),
    ...(items && shape.kind === 'list'
      ? { items: items.map((item) => numberedItem(item, shape.item, number)) }
      : {}),
  };
}

function numberedCondition(condition: ConditionSpec, number: string): ConditionSpec {
  return condition.column === undefined
    ? condition
    : { ...condition, column: named(condition.column, number) };
}

function named(text: string, number: string): string {
  return text.replaceAll('{n}', number);
}
