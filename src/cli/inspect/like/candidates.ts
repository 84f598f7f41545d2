import type { CellKind } from '../../mapping/language/fields.ts';
import type { SourceRow } from '../../csv/source-row.ts';
import type { ColumnProfile } from '../column/profiled-column.ts';
import type { DraftSetting, FieldEntry } from '../draft/draft.ts';
import { columnEntries, differenceEntries, repairs, templates } from './column-entries.ts';
import { digitsOf, likenessOf } from './example-rows.ts';
import { rulesFor, type Feature } from './rules.ts';
import type { Outcome, Reader } from './trial.ts';

/** An entry that gives the value of the field in every example; null is the field that no record has. */
export interface FieldCandidate {
  readonly entry: FieldEntry;
  readonly read: Reader;
  /** `column`: cells give the value. `rule`: a table or conditions do. `constant`: it is the same in every record. */
  readonly kind: 'column' | 'rule' | 'constant';
  /** The features that decide; empty unless it is a rule. */
  readonly features: readonly Feature[];
  /** Whether examples show what a row has to be. */
  readonly isKnown: (row: SourceRow) => boolean;
}

/** The candidates, the simplest first, and without any the entry that gives most examples. */
export interface FieldSearch {
  readonly candidates: readonly FieldCandidate[];
  readonly nearest?: Readonly<{ entry: FieldEntry; read: Reader }> | undefined;
  /** For a list, those of the rows of which each one would show something that no example does. */
  readonly unshown?: (
    rows: readonly SourceRow[],
    isUsed: (column: ColumnProfile) => boolean,
  ) => readonly (readonly SourceRow[])[];
}

export interface SearchSetting {
  readonly field: string;
  readonly kind: CellKind;
  /** The outcome of each example. */
  readonly wanted: readonly string[];
  /** The value of each example, to write it as a constant; undefined for none. */
  readonly values: readonly (string | undefined)[];
  /** The row of each example. */
  readonly rows: readonly SourceRow[];
  /** The engine. It is undefined for an entry that a mapping cannot have. */
  readonly reader: (entry: FieldEntry) => Reader | undefined;
  readonly draft: DraftSetting;
  /** Columns that a mapping can name. */
  readonly columns: readonly ColumnProfile[];
  /** The likeliest for this field first. */
  readonly features: readonly Feature[];
  /** Whether each value of the field is its own, and no member of a short list. */
  readonly isFree: boolean;
  /** Whether the field tells accounts or records apart, so that its value is hardly the same in all rows. */
  readonly isIdentity: boolean;
  /** Whether the amounts of several rows may be added up. */
  readonly isSum: boolean;
}

/** An entry with its outcome for each example. */
type Tried = Readonly<{ entry: FieldEntry; read: Reader; outcomes: readonly Outcome[] }>;

const isAlways = (): boolean => true;
/** Entries of which two may share the examples. */
const MOST_SHARING = 8;

/** Searches for everything that explains a field of the examples: a column, else a part of one, else conditions, else constants. */
export function searchField(setting: SearchSetting): FieldSearch {
  const { field, kind, wanted, rows, reader, draft, columns } = setting;
  const filled = wanted.findIndex((value) => value !== '');
  if (filled < 0) return { candidates: [candidate({ entry: null, read: () => '' }, 'constant')] };
  const likely = kind === 'decimal' ? columns.filter(hasDigits) : columns;
  const entries = [
    ...likely.flatMap((column) => columnEntries(field, kind, column, draft)),
    ...(kind === 'decimal' ? differenceEntries(likely) : []),
    ...(kind === 'decimal' && setting.isSum ? sums() : []),
  ];
  const all = kind === 'decimal' ? entries.flatMap(signsOf) : entries;
  const tries = [...new Map(all.map((entry) => [JSON.stringify(entry), entry])).values()].flatMap(tried);
  const direct = tries.filter(isExact);
  if (direct.length > 0) return { candidates: direct.map((each) => candidate(each, 'column')) };
  const derived =
    kind === 'text' && setting.isFree ? derivedEntries(rows[filled]!, setting.values[filled] ?? '') : [];
  const made = derived
    .flatMap(tried)
    .filter(isExact)
    .map((each) => candidate(each, 'column'));
  // A part of one text may be in a cell by chance.
  const isOneText = new Set(setting.values.filter((value) => value !== undefined)).size === 1;
  if (made.length > 0)
    return { candidates: isOneText && !setting.isIdentity ? [...constants(), ...made] : made };
  const shared = sharedBy(tries);
  if (shared.length > 0) return { candidates: shared };
  const nearest = tries.toSorted(
    (a, b) => fitsOf(b).filter(Boolean).length - fitsOf(a).filter(Boolean).length,
  )[0];
  return { candidates: constants(), nearest: nearest && fitsOf(nearest).some(Boolean) ? nearest : undefined };

  function sums(): readonly FieldEntry[] {
    const amounts = columns.filter(({ numbers, filled }) => numbers?.count === filled);
    return [
      ...amounts.flatMap((column) => columnEntries(field, kind, column, draft)),
      ...differenceEntries(amounts),
    ].map((entry) => ({ ...(typeof entry === 'string' ? { column: entry } : entry), sum: true }));
  }

  /** Whether a cell of an example has the digits of its value, however it is written. */
  function hasDigits({ column }: ColumnProfile): boolean {
    return setting.values.some(
      (value, at) => value !== undefined && digitsOf(rows[at]!.cells[column - 1] ?? '') === digitsOf(value),
    );
  }

  function tried(entry: FieldEntry): readonly Tried[] {
    const read = reader(entry);
    return read ? [{ entry, read, outcomes: rows.map(read) }] : [];
  }

  function isExact({ outcomes }: Tried): boolean {
    return outcomes.every((each, at) => each === wanted[at]);
  }

  /** The examples whose value an entry gives. */
  function fitsOf({ outcomes }: Tried): readonly boolean[] {
    return outcomes.map((each, at) => each !== '' && each === wanted[at]);
  }

  /** Two entries, or an entry and nothing, of which features of the row say which counts. */
  function sharedBy(all: readonly Tried[]): readonly FieldCandidate[] {
    const byFits = new Map(
      all.toReversed().map((each) => [fitsOf(each).join(), { each, fits: fitsOf(each) }]),
    );
    const best = [...byFits.values()]
      .filter(({ fits }) => fits.includes(true))
      .toSorted((a, b) => b.fits.filter(Boolean).length - a.fits.filter(Boolean).length)
      .slice(0, MOST_SHARING);
    const none = { each: { entry: null }, fits: wanted.map((value) => value === '') };
    const pairs = best.flatMap((one, at) =>
      [none, ...best.slice(at + 1)].map((other) => [one, other] as const),
    );
    for (const [one, other] of pairs) {
      const allowed = wanted.map((_, at) =>
        [one, other].flatMap(({ fits }, label) => (fits[at] ? [label] : [])),
      );
      const rules = allowed.every((labels) => labels.length > 0)
        ? ruled([one.each.entry, other.each.entry], allowed)
        : [];
      if (rules.length > 0) return rules;
    }
    return [];
  }

  /** @param allowed the labels that give the value of each example */
  function ruled(
    labels: readonly FieldEntry[],
    allowed: readonly (readonly number[])[],
  ): readonly FieldCandidate[] {
    const rules = rulesFor(labels, rows, allowed, setting.features);
    const isPartial = ({ entry }: { entry: FieldEntry }): boolean =>
      typeof entry === 'object' && entry !== null && 'when' in entry;
    // A table without a condition is simpler.
    return [...rules.filter((rule) => !isPartial(rule)), ...rules.filter(isPartial)].flatMap(
      ({ entry, ...rest }) =>
        tried(entry)
          .filter(isExact)
          .map((each) => ({ ...candidate(each, 'rule'), ...rest })),
    );
  }

  function derivedEntries(row: SourceRow, text: string): readonly FieldEntry[] {
    const repaired = columns.flatMap(({ column, name }) => {
      const cell = row.cells[column - 1] ?? '';
      return cell === '' ? [] : repairs(cell, text).map((keys) => ({ column: name, ...keys }));
    });
    return [...repaired, ...templates(text, row.cells, columns)];
  }

  /** Whether the column has all values, but in a way that cannot be read. They are no constants then. */
  function isLikeAll({ column, numbers }: ColumnProfile): boolean {
    const isLike = (value: string | undefined, at: number): boolean =>
      value === undefined || likenessOf(draft.resource, field, value)(rows[at]!.cells[column - 1] ?? '');
    return (kind !== 'decimal' || numbers !== null) && setting.values.every(isLike);
  }

  /** Values that no cell has: one for every record, or several by a feature. */
  function constants(): readonly FieldCandidate[] {
    if (kind === 'json' || (kind !== 'text' && columns.some(isLikeAll))) return [];
    const values = [...new Set(setting.values)];
    const labels = values.map((value) => (value === undefined ? null : { constant: value }));
    const same =
      values.length > 2
        ? []
        : labels
            .filter((label) => label !== null)
            .flatMap(tried)
            .filter(isExact);
    if (same.length > 0) return same.map((each) => candidate(each, 'constant'));
    // A table that has one entry for each example explains nothing.
    if (setting.isFree && values.length === wanted.length) return [];
    return ruled(
      labels,
      setting.values.map((value) => [values.indexOf(value)]),
    );
  }
}

function candidate(
  { entry, read }: Pick<Tried, 'entry' | 'read'>,
  kind: FieldCandidate['kind'],
): FieldCandidate {
  return { entry, read, kind, features: [], isKnown: isAlways };
}

/** A number as it is, with the other sign, and without a sign. */
function signsOf(entry: FieldEntry): readonly FieldEntry[] {
  if (entry === null || Array.isArray(entry)) return [entry];
  const base = typeof entry === 'string' ? { column: entry } : entry;
  const turned = { ...base, negate: true };
  const sizes =
    'column' in base ? [[{ ...turned, when: { column: base.column, is: 'negative' } }, base]] : [];
  return [entry, turned, ...sizes];
}
