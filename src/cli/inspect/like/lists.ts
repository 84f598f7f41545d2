import { fieldOfName } from '../../mapping/language/fields.ts';
import type { ColumnProfile } from '../column/profiled-column.ts';
import type { FieldEntry } from '../draft/draft.ts';
import { searchField, type FieldCandidate, type FieldSearch, type SearchSetting } from './candidates.ts';
import { outcomeOf, textOf } from './trial.ts';

/** A way in which a row has the items of a list. */
interface Form {
  /** The entry of the list with this item. */
  readonly entry: (item: FieldEntry) => FieldEntry;
  readonly columns: readonly ColumnProfile[];
}

type Item = Readonly<Record<string, unknown>>;

/** Searches for a list of objects: one item from named columns, or items from columns whose names differ in a number. */
export function searchList(setting: SearchSetting, values: readonly unknown[]): FieldSearch {
  const lists = values.map((value) => (Array.isArray(value) ? (value as readonly Item[]) : undefined));
  if (lists.flat().some((item) => typeof item === 'string')) return { candidates: [] };
  for (const form of formsOf(setting.columns)) {
    const candidates = searchItems(setting, form, lists);
    if (candidates.length > 0) return { candidates };
  }
  return { candidates: [] };
}

/** The name of a column without its last number: `Net2` is one of `Net{n}`. */
export function stemOf(name: string): string {
  return name.replace(/\d{1,3}(?!.*\d)/, '{n}');
}

function formsOf(columns: readonly ColumnProfile[]): readonly Form[] {
  const stems = Map.groupBy(
    columns.filter(({ name }) => stemOf(name!) !== name),
    ({ name }) => stemOf(name!),
  );
  const numbered = [...stems].map(([name, own]) => {
    const numbers = own.map((column) => Number.parseInt(/\d{1,3}(?!.*\d)/.exec(column.name!)![0], 10));
    return { profile: { ...own[0]!, name }, from: Math.min(...numbers), to: Math.max(...numbers) };
  });
  const ranges = Map.groupBy(
    numbered.filter(({ from, to }) => from < to),
    ({ from, to }) => `${from} ${to}`,
  );
  const repeated = [...ranges.values()].map((group) => {
    const { from, to } = group[0]!;
    return {
      entry: (item: FieldEntry) => ({ repeat: { from, to }, item }),
      columns: group.map(({ profile }) => profile),
    };
  });
  return [...repeated, { entry: (item) => ({ items: [item] }), columns }];
}

/** The whole list with the first answer for each field of an item, then with each other answer in its place. */
function searchItems(
  setting: SearchSetting,
  form: Form,
  lists: readonly (readonly Item[] | undefined)[],
): readonly FieldCandidate[] {
  const { draft, rows, reader, wanted } = setting;
  const item: Record<string, FieldEntry> = {};
  const rivals: Readonly<Record<string, FieldEntry>>[] = [];
  let hasConstants = false;
  /** Adds a field, with all of its values if it is a list; returns whether cells alone give it, or else anything. */
  const add = (field: string, isAnything: boolean): boolean => {
    const sample = lists.flat().find((one) => one?.[field] !== undefined)?.[field];
    const size = Array.isArray(sample) ? sample.length : null;
    const parts: FieldEntry[] = [];
    for (let at = 0; at < (size ?? 1); at++) {
      const name = [setting.field, 0, field, ...(size === null ? [] : [at])].join('.');
      const partsOf = (one: Item): readonly unknown[] =>
        size === null ? [one[field]] : ((one[field] ?? []) as unknown[]);
      const whole = (own: readonly unknown[]): unknown => (size === null ? own[0] : own);
      const { candidates } = searchField({
        ...setting,
        field: name,
        kind: fieldOfName(draft.resource, name, draft.descriptors)?.kind ?? 'text',
        columns: form.columns,
        features: [],
        values: lists.map((items) => textOf(items?.[0] && partsOf(items[0])[at])),
        wanted: lists.map((items) =>
          outcomeOf(
            items?.map((one) => ({ ...picked(one, item), [field]: whole(partsOf(one).slice(0, at + 1)) })),
          ),
        ),
        reader: (own) =>
          reader(form.entry({ ...item, [field]: size === null ? own : { items: [...parts, own] } })),
      });
      const [first, ...others] = candidates.filter(({ kind }) => isAnything || kind === 'column');
      if (!first) return false;
      hasConstants ||= first.kind === 'constant';
      parts.push(first.entry);
      if (size === null)
        rivals.push(...others.slice(0, MOST_RIVALS).map(({ entry }) => ({ [field]: entry })));
    }
    item[field] = size === null ? parts[0]! : { items: parts };
    return true;
  };
  const fields = [...new Set(lists.flatMap((items) => items?.flatMap((one) => Object.keys(one)) ?? []))];
  // A constant alone would make an item of every row.
  const later = fields.filter((field) => !add(field, false));
  if (later.length === fields.length || !later.every((field) => add(field, true))) return [];
  return [{}, ...rivals].flatMap((other) => {
    const entry = form.entry({ ...item, ...other });
    const read = reader(entry);
    if (!read || rows.some((row, at) => read(row) !== wanted[at])) return [];
    return [
      { entry, read, kind: hasConstants ? 'constant' : 'column', features: [], isKnown: () => true } as const,
    ];
  });
}

/** Other answers of one field that are compared in other rows. */
const MOST_RIVALS = 10;

function picked(one: Item, fields: Item): Item {
  return Object.fromEntries(Object.entries(one).filter(([name]) => name in fields));
}
