import type { Resource } from '../../../core/contract/resources.ts';
import { fieldNames } from '../../mapping/language/fields.ts';
import type { InspectedColumn } from '../inspection.ts';
import { HEADER_TERMS, normalName } from './header-terms.ts';

/** How a header was recognised, from the surest on. */
const TIERS = ['exact', 'normalised', 'term'] as const;
export type Tier = (typeof TIERS)[number];

/** The columns that a field may come from, all recognised in the same way. */
export interface FieldMatch {
  readonly tier: Tier;
  readonly columns: readonly [InspectedColumn, ...InspectedColumn[]];
}

/** What says that a column is each of these, in words. */
export const TIER_TEXT: Readonly<Record<Tier, string>> = {
  exact: 'the header is the name of the field',
  normalised: 'the header is the name of the field but for case and marks',
  term: 'the header is a usual word for it',
};

/**
 * The columns that may feed each field, by their headers; `debit` and `credit` are fields here, too. A column goes to the
 * field that it is recognised for most surely, and of equals to the first.
 */
export function matchColumns(
  resource: Resource,
  columns: readonly InspectedColumn[],
): ReadonlyMap<string, FieldMatch> {
  const terms = HEADER_TERMS[resource];
  const fields = [...new Set([...fieldNames(resource), ...Object.keys(terms)])];
  const taken = new Set<InspectedColumn>();
  const matches = new Map<string, FieldMatch>();
  for (const tier of TIERS) {
    for (const field of fields) {
      if (matches.has(field)) continue;
      const [first, ...others] = columns.filter(
        (column) => !taken.has(column) && isNamed(column.name, field, tier, terms[field] ?? []),
      );
      if (first) matches.set(field, { tier, columns: [first, ...others] });
    }
    for (const { columns: found } of matches.values()) for (const column of found) taken.add(column);
  }
  return matches;
}

function isNamed(name: string | null, field: string, tier: Tier, terms: readonly string[]): boolean {
  if (name === null || name === '') return false;
  if (tier === 'exact') return name === field;
  const normal = normalName(name);
  if (tier === 'normalised') return normal === normalName(field);
  return terms.some((term) => normalName(term) === normal);
}
