import { DESCRIPTORS, type Descriptors, type Resource } from '../../../core/contract/resources.ts';
import { fieldNames } from '../../mapping/language/fields.ts';
import type { ColumnProfile } from '../column/column-profile.ts';
import { headerTerms, normalName } from './header-terms.ts';

/** The ways to recognise a header, the surest first, with the reason that a draft gives. */
const TIERS = {
  exact: 'the header is the name of the field',
  normalised: 'the header is the name of the field but for case and marks',
  term: 'the header is a usual word for it',
};
type Tier = keyof typeof TIERS;

/** The columns that a field may come from, all recognised in the same way. */
export type FieldMatch = Readonly<{ because: string; columns: readonly [ColumnProfile, ...ColumnProfile[]] }>;

/**
 * The columns that may feed each field, by their headers; `debit` and `credit` count as fields. A column belongs to the field
 * for which its header is the surest sign, and of equally sure fields to the first.
 */
export function matchColumns(
  resource: Resource,
  columns: readonly ColumnProfile[],
  descriptors?: Descriptors,
): ReadonlyMap<string, FieldMatch> {
  const terms = headerTerms(resource);
  const fields = [...new Set([...fieldNames(resource, descriptors), ...Object.keys(terms)])];
  const normals = new Map(columns.map((column) => [column, normalName(column.name ?? '')]));
  const taken = new Set<ColumnProfile>();
  const matches = new Map<string, FieldMatch>();
  for (const [tier, because] of Object.entries(TIERS) as [Tier, string][]) {
    for (const field of fields) {
      if (matches.has(field)) continue;
      const isNamed = namedTest(field, tier, terms[field] ?? []);
      const [first, ...others] = columns.filter(
        (column) => !taken.has(column) && isNamed(column.name ?? '', normals.get(column)!),
      );
      if (first) matches.set(field, { because, columns: [first, ...others] });
    }
    for (const { columns: found } of matches.values()) for (const column of found) taken.add(column);
  }
  return matches;
}

/** Whether a header, also in its normal form, names a field. */
function namedTest(
  field: string,
  tier: Tier,
  terms: readonly string[],
): (name: string, normal: string) => boolean {
  if (tier === 'exact') return (name) => name === field;
  const known = new Set((tier === 'normalised' ? [field] : terms).map(normalName));
  return (name, normal) => name !== '' && known.has(normal);
}

/** The field whose value occurs once for each record; null when the resource has none. */
export function keyField(resource: Resource): string | null {
  const { idField, repetition } = DESCRIPTORS[resource];
  return repetition.isKeyedById ? idField : null;
}

export function idColumnOf(
  resource: Resource,
  matches: ReadonlyMap<string, FieldMatch>,
): ColumnProfile | undefined {
  const field = keyField(resource);
  return field === null ? undefined : matches.get(field)?.columns[0];
}
