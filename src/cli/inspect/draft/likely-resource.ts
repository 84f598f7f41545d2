import { RESOURCES, type Resource } from '../../../core/contract/resources.ts';
import { fieldNames } from '../../mapping/language/fields.ts';
import type { ColumnProfile } from '../column/column-profile.ts';
import { matchColumns } from './header-match.ts';

/** What the rows of a file look like. */
export interface LikelyResource {
  readonly resource: Resource;
  /** Whether the columns have the names of the interface, so that the file needs no mapping. */
  readonly isOfInterface: boolean;
}

/** The resource whose fields the headers name most. Undefined when two are named as often, or hardly any is. */
export function likelyResource(columns: readonly ColumnProfile[]): LikelyResource | undefined {
  const scores = RESOURCES.map((resource) => {
    const matches = [...matchColumns(resource, columns).keys()].filter((field) => !OF_ACCOUNT.has(field));
    return { resource, fields: matches.length };
  }).toSorted((a, b) => b.fields - a.fields);
  const [first, second] = scores;
  if (!first || first.fields < LEAST || first.fields === second?.fields) return undefined;
  const { resource } = first;
  const names = new Set(fieldNames(resource));
  const isOfInterface = columns.every(({ name }) => name !== null && names.has(name.split('.')[0]!));
  return { resource, isOfInterface };
}

/** Fields that every resource has. */
const OF_ACCOUNT: ReadonlySet<string> = new Set(['import_supplier', 'external_account_number']);

/** One field may have its name by chance. */
const LEAST = 2;
