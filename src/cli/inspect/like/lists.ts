import type { SourceRow } from '../../csv/source-row.ts';
import { fieldOfName } from '../../mapping/language/fields.ts';
import type { ColumnProfile } from '../column/profiled-column.ts';
import type { FieldEntry } from '../draft/draft.ts';
import { searchField, type FieldCandidate, type FieldSearch, type SearchSetting } from './candidates.ts';
import { likenessOf } from './example-rows.ts';
import { stemOf, type Form } from './forms.ts';
import { rulesFor, unshownRows, type Rule } from './rules.ts';
import { outcomeOf, textOf, type Outcome, type Reader } from './trial.ts';

type Item = Readonly<Record<string, unknown>>;
/** A part of the row of an example, and the item that it makes. */
type Pair = Readonly<{ part: SourceRow; item: Item | undefined }>;

/** Other answers of one field that are compared in other rows. */
const MOST_RIVALS = 10;

/** Searches for a list of objects: the parts of a row are rows of their own, and the items are examples of these. */
export function searchList(
  setting: SearchSetting,
  values: readonly unknown[],
  forms: readonly Form[],
): FieldSearch {
  const lists = values.map((value) => (Array.isArray(value) ? (value as readonly Item[]) : []));
  if (lists.flat().some((item) => typeof item !== 'object')) return { candidates: [] };
  const [first, ...others] = forms.flatMap((form) => searchForm(setting, form, lists) ?? []);
  if (!first) return { candidates: [] };
  return { ...first, candidates: [...first.candidates, ...others.flatMap(({ candidates }) => candidates)] };
}

/** Every field of the items, and the condition that leaves parts out. The first answer for each comes first, then each other in its place. */
function searchForm(
  setting: SearchSetting,
  form: Form,
  lists: readonly (readonly Item[])[],
): FieldSearch | undefined {
  const { field, draft, rows, reader, wanted } = setting;
  const { resource, descriptors } = draft;
  const features = form.features ?? setting.features;
  const parts = rows.map(form.partsOf);
  if (lists.some((items, at) => items.length > parts[at]!.length)) return undefined;
  const fit = fitOf((name, value) => likenessOf(resource, `${field}.0.${name}`, value), lists, parts);
  const pairs = lists.flatMap((items, at) => pairsOf(items, parts[at]!, fit));
  const made = pairs.flatMap(({ part, item }) => (item ? [{ part, item }] : []));
  const fields = [...new Set(made.flatMap(({ item }) => Object.keys(item)))].map(searchOf);
  const item = Object.fromEntries(fields.map(({ name, entries }) => [name, entries[0]!]));
  // A constant alone would make an item of every part.
  if (Object.values(item).includes(undefined as never) || !fields.some(({ isCell }) => isCell))
    return undefined;
  const labels = pairs.map((pair) => [pair.item ? 0 : 1]);
  const example = pairs.map(({ part }) => part);
  const rules = made.length === pairs.length ? [] : rulesFor([{}, null], example, labels, features);
  // A cell that is filled says more about a part than one that is empty.
  const isEmpty = ({ entry }: Rule): boolean => /"is":"empty"|""/.test(JSON.stringify(entry));
  const ordered = [...rules.filter((rule) => !isEmpty(rule)), ...rules.filter(isEmpty)];
  const whole = [undefined, ...ordered].flatMap((rule) => candidate(item, rule));
  const [first] = whole;
  if (!first) return undefined;
  const { rule } = first;
  const outcomes: Outcome[] = [];
  const rivals = fields.flatMap(({ name, entries }) =>
    entries.slice(1, MOST_RIVALS).flatMap((entry) => candidate({ ...item, [name]: entry }, rule)),
  );
  return { candidates: [first, ...[...whole.slice(1), ...rivals].filter(isOther)], unshown };

  /** A field of the items, each of its values apart if it is a list. */
  function searchOf(name: string): Readonly<{
    name: string;
    entries: readonly FieldEntry[];
    rules: readonly FieldCandidate[];
    isCell: boolean;
  }> {
    const values = made.map(({ item: own }) => own[name]);
    const size = Math.max(-1, ...values.map((value) => (Array.isArray(value) ? value.length : -1)));
    const path = [field, 0, name, ...(size < 0 ? [] : [0])].join('.');
    const searches = Array.from({ length: Math.max(size, 1) }, (_, at) => {
      const own = size < 0 ? values : values.map((value) => (value as readonly unknown[] | undefined)?.[at]);
      return searchField({
        ...setting,
        field: path,
        kind: fieldOfName(resource, path, descriptors)?.kind ?? 'text',
        columns: form.columns,
        features,
        rows: made.map(({ part }) => part),
        values: own.map(textOf),
        wanted: own.map(outcomeOf),
        reader: (entry) => form.trial(path, entry),
        isIdentity: false,
        isSum: false,
      }).candidates;
    });
    const firsts = searches.flatMap(([first]) => first ?? []);
    const whole = { items: firsts.map(({ entry }) => entry) };
    const isWhole = firsts.length === searches.length;
    return {
      name,
      entries: size < 0 ? searches[0]!.map(({ entry }) => entry) : isWhole ? [whole] : [],
      rules: firsts.filter(({ kind }) => kind === 'rule'),
      isCell: firsts.some(({ kind }) => kind !== 'constant'),
    };
  }

  /** The whole list, if it is that of every example, and what each part makes. */
  function candidate(
    own: Readonly<Record<string, FieldEntry>>,
    by: Rule | undefined,
  ): readonly (FieldCandidate & Readonly<{ rule: Rule | undefined; part: Reader }>)[] {
    const [condition, ...more] = by ? (by.entry as readonly { when?: object }[]) : [{}];
    const entry = condition && more.length === 0 ? form.entry(own, condition.when) : null;
    const read = entry === null ? undefined : reader(entry);
    const part = form.trial(field, { items: [own], ...condition });
    if (!read || !part || rows.some((row, at) => read(row) !== wanted[at])) return [];
    const isKnown = (row: SourceRow): boolean => !by || form.partsOf(row).every((each) => by.isKnown(each));
    return [{ entry, read, kind: 'column', features: [], isKnown, rule: by, part }];
  }

  /** Whether it makes another item of a part than the first. */
  function isOther(other: { part: Reader }): boolean {
    return form.all.some((part, at) => {
      const outcome = other.part(part);
      outcomes[at] ??= first!.part(part);
      return outcome !== null && outcome !== outcomes[at];
    });
  }

  /** The rows of which a part has a kind that no example shows. */
  function unshown(
    all: readonly SourceRow[],
    isUsed: (column: ColumnProfile) => boolean,
  ): readonly (readonly SourceRow[])[] {
    const cells = fields.flatMap(({ name, rules: own }) => (own.length > 0 ? [] : [item[name]!]));
    const named = namedColumns(cells, form.columns);
    const items = made.map(({ part }) => part);
    const partsOf = (row: SourceRow): readonly SourceRow[] =>
      form.partsOf(row).filter((part) => first!.part(part) !== '');
    const others = features.filter(({ isValue, column }) => isValue && !named.includes(column));
    const open = others.filter(({ column }) => !isUsed(column));
    return [
      // Another column may decide beside that of a rule.
      ...[
        ...(rule ? [rule.features] : []),
        ...(rule ? others : open).map((each) => [...(rule?.features ?? []), each]),
      ].flatMap((each) => unshownRows(each, example, { rows: all, partsOf: form.partsOf })),
      ...fields
        .flatMap(({ rules: own }) => own)
        .flatMap((own) => [own.features, ...others.map((each) => [...own.features, each])])
        .flatMap((each) => unshownRows(each, items, { rows: all, partsOf })),
    ];
  }
}

/**
 * Says how much of an item is in a part. A field that is in the same column for more items counts for more: a cell is like a value by
 * chance, and one cell is like several values.
 */
function fitOf(
  likeness: (name: string, value: unknown) => (cell: string) => boolean,
  lists: readonly (readonly Item[])[],
  parts: readonly (readonly SourceRow[])[],
): (item: Item, part: SourceRow) => number {
  const counts = new Map<string, number>();
  const hitsOf = (
    item: Item,
    { cells }: SourceRow,
  ): readonly { name: string; column: number; key: string }[] =>
    Object.entries(item).flatMap(([name, value]) => {
      const isLike = likeness(name, value);
      return cells.flatMap((cell, column) =>
        isLike(cell) ? { name, column, key: `${name} ${column}` } : [],
      );
    });
  for (const [at, items] of lists.entries())
    for (const item of items)
      for (const key of new Set(parts[at]!.flatMap((part) => hitsOf(item, part).map((hit) => hit.key))))
        counts.set(key, (counts.get(key) ?? 0) + 1);
  return (item, part) => {
    const hits = hitsOf(item, part);
    const groups = [Map.groupBy(hits, ({ name }) => name), Map.groupBy(hits, ({ column }) => column)];
    return groups
      .flatMap((each) => [...each.values()])
      .reduce((sum, own) => sum + Math.max(...own.map(({ key }) => counts.get(key)!)), 0);
  };
}

/** Pairs each part with its item, in their order, so that the most values of items are in cells of their parts. */
function pairsOf(
  items: readonly Item[],
  parts: readonly SourceRow[],
  fit: (item: Item, part: SourceRow) => number,
): readonly Pair[] {
  const best = [Array.from({ length: parts.length + 1 }, () => 0)];
  for (const item of items) {
    const before = best.at(-1)!;
    const row = [-Infinity];
    for (const [at, part] of parts.entries()) row.push(Math.max(row[at]!, before[at]! + fit(item, part)));
    best.push(row);
  }
  let left = items.length;
  const pairs = parts.toReversed().map((part, at): Pair => {
    const column = parts.length - at;
    const isLeftOut = left === 0 || best[left]![column] === best[left]![column - 1];
    return { part, item: isLeftOut ? undefined : items[--left] };
  });
  return pairs.toReversed();
}

/** The columns that an entry names, those of a list by their pattern. */
export function namedColumns(entry: FieldEntry, columns: readonly ColumnProfile[]): readonly ColumnProfile[] {
  const texts = textsIn(entry);
  return columns.filter(({ name }) =>
    [name!, stemOf(name!)].some((each) => texts.some((text) => text === each || text.includes(`{${each}}`))),
  );
}

/** The texts of an entry that may name columns of the file. */
function textsIn(entry: unknown): readonly string[] {
  if (typeof entry === 'string') return [entry];
  if (typeof entry !== 'object' || entry === null) return [];
  return Object.entries(entry).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'constant' || key === 'lookup') return [];
    return textsIn(key === 'each' ? (value as { column: string }).column : value);
  });
}
