import type { FieldSpec, ItemSpec, ListSpec } from '../language/field-spec.ts';
import type { FieldShape, ListShape, ObjectShape } from '../language/fields.ts';

/** The items that `repeat` makes: one for each number, which replaces `{n}` in names of columns. */
export function repeatedItems(
  { repeat, item }: Pick<ListSpec, 'repeat' | 'item'>,
  shape: ListShape['item'],
): readonly ItemSpec[] {
  const { from, to } = repeat!;
  return Array.from({ length: to - from + 1 }, (_, index) =>
    numberedItem(item!, shape, String(from + index)),
  );
}

function numberedItem(item: ItemSpec, shape: ListShape['item'], number: string): ItemSpec {
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

/** Keeps everything but names of columns as it is, because lookup tables are found by their identity. */
function numberedSpec(spec: ListSpec, shape: FieldShape, number: string): ListSpec {
  const { when, items, fields } = spec;
  const names = (['column', 'template', 'debit', 'credit'] as const).flatMap((key) =>
    spec[key] === undefined ? [] : [[key, named(spec[key], number)] as const],
  );
  return {
    ...spec,
    ...Object.fromEntries(names),
    ...(when && {
      when: when.map((each) =>
        each.column === undefined ? each : { ...each, column: named(each.column, number) },
      ),
    }),
    ...(fields && { fields: numberedItem(fields, shape as ObjectShape, number) as typeof fields }),
    ...(items && { items: items.map((item) => numberedItem(item, (shape as ListShape).item, number)) }),
  };
}

const named = (text: string, number: string): string => text.replaceAll('{n}', number);
