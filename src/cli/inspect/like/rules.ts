import type { SourceRow } from '../../csv/source-row.ts';
import type { ColumnProfile } from '../column/profiled-column.ts';
import type { FieldEntry } from '../draft/draft.ts';
import { amountColumns } from '../draft/number-draft.ts';

/** A trait of rows that a condition can test: the value of a column with few values, or whether a cell is filled. */
export interface Feature {
  readonly column: ColumnProfile;
  /** Whether it is the value; else it is whether there is one. */
  readonly isValue: boolean;
  readonly keyOf: (row: SourceRow) => string;
}

/** Which entry rows get, by one feature or by two. */
export interface Rule {
  readonly features: readonly Feature[];
  readonly entry: FieldEntry;
  /** Whether an example shows this combination of features. */
  readonly isKnown: (row: SourceRow) => boolean;
}

/** The text of a cell, without words for nothing. */
export type CellOf = (row: SourceRow, column: ColumnProfile) => string;

/** Most values of a column that conditions and tables list. */
const MOST_KEYS = 12;
const SEPARATOR = '\u0000';

export function featuresOf(columns: readonly ColumnProfile[], cellOf: CellOf): readonly Feature[] {
  const amounts = new Set(amountColumns(columns));
  return columns.flatMap((column): readonly Feature[] => {
    const { distinct, filled, empty, dates } = column;
    const isKind = distinct.isExact && distinct.count <= MOST_KEYS && distinct.count < filled && !dates;
    if (isKind && !amounts.has(column) && distinct.count + Math.min(empty, 1) > 1)
      return [{ column, isValue: true, keyOf: (row) => cellOf(row, column) }];
    if (empty === 0 || filled === 0) return [];
    return [{ column, isValue: false, keyOf: (row) => (cellOf(row, column) === '' ? 'empty' : 'present') }];
  });
}

const keyOfRow = (features: readonly Feature[], row: SourceRow): string =>
  features.map(({ keyOf }) => keyOf(row)).join(SEPARATOR);

/** The rows of which a part has features together that no part has which is shown, those of each combination apart. */
export function unshownRows(
  features: readonly Feature[],
  shown: readonly SourceRow[],
  {
    rows,
    partsOf,
  }: Readonly<{ rows: readonly SourceRow[]; partsOf: (row: SourceRow) => readonly SourceRow[] }>,
): readonly (readonly SourceRow[])[] {
  const known = new Set(shown.map((part) => keyOfRow(features, part)));
  const byKey = new Map<string, Set<SourceRow>>();
  for (const row of rows)
    for (const part of partsOf(row)) {
      const key = keyOfRow(features, part);
      if (!known.has(key)) byKey.set(key, (byKey.get(key) ?? new Set()).add(row));
    }
  return [...byKey.values()].map((own) => [...own]);
}

/**
 * The rules that give each example one of its labels: by one feature, else by two.
 * @param labels entries, or null for no value @param allowed the labels that give the value of each row
 */
export function rulesFor(
  labels: readonly FieldEntry[],
  rows: readonly SourceRow[],
  allowed: readonly (readonly number[])[],
  features: readonly Feature[],
): readonly Rule[] {
  const by = (chosen: readonly Feature[]): readonly Rule[] => {
    const table = new Map<string, readonly number[]>();
    for (const [at, row] of rows.entries()) {
      const key = keyOfRow(chosen, row);
      table.set(
        key,
        (table.get(key) ?? allowed[at]!).filter((label) => allowed[at]!.includes(label)),
      );
    }
    if ([...table.values()].some((fits) => fits.length === 0)) return [];
    const sure = new Map(
      [...table].flatMap(([key, [label, ...more]]) => (more.length === 0 ? [[key, label!]] : [])),
    );
    if (sure.size === 0) return [];
    const entry = lookupBy(chosen, labels, sure) ?? alternatives(chosen, labels, sure);
    return [{ features: chosen, entry, isKnown: (row) => sure.has(keyOfRow(chosen, row)) }];
  };
  const single = features.flatMap((feature) => by([feature]));
  if (single.length > 0) return single;
  return features.flatMap((one, at) => features.slice(at + 1).flatMap((other) => by([one, other])));
}

/** A table, where the values of one column decide about constants alone. */
function lookupBy(
  [feature, ...others]: readonly Feature[],
  labels: readonly FieldEntry[],
  sure: ReadonlyMap<string, number>,
): FieldEntry | undefined {
  const lookup: Record<string, string> = {};
  let isPartial = false;
  for (const [key, label] of sure) {
    const entry = labels[label];
    if (entry === null) isPartial ||= key !== '';
    else if (typeof entry === 'object' && 'constant' in entry && key !== '')
      lookup[key] = String(entry.constant);
    else return undefined;
  }
  const { column, isValue } = feature!;
  if (others.length > 0 || !isValue || Object.keys(lookup).length === 0) return undefined;
  const when = { column: column.name, in: Object.keys(lookup) };
  return { column: column.name, lookup, ...(isPartial && { when }) };
}

/** Entries with conditions: one for each label, or for each label and the values of the first of two features that go with the same of the second. */
function alternatives(
  features: readonly Feature[],
  labels: readonly FieldEntry[],
  sure: ReadonlyMap<string, number>,
): readonly FieldEntry[] {
  return labels.flatMap((entry, label) => {
    if (entry === null) return [];
    const base = typeof entry === 'string' ? { column: entry } : entry;
    const keys = [...sure].filter(([, of]) => of === label).map(([key]) => key.split(SEPARATOR));
    const byFirst = Map.groupBy(keys, ([first]) => (features.length === 1 ? '' : first!));
    const groups = Map.groupBy(byFirst.values(), (group) =>
      JSON.stringify(group.map(([, second]) => second!).toSorted((a, b) => (a < b ? -1 : 1))),
    );
    return Array.from(groups.values(), (same) => same.flat()).map((group) => ({
      ...base,
      when: features.flatMap(({ column: { name }, isValue }, at): readonly object[] => {
        const values = [...new Set(group.map((key) => key[at]!))];
        if (isValue) return [{ column: name, in: values }];
        return values.length === 1 ? [{ column: name, is: values[0] }] : [];
      }),
    }));
  });
}
