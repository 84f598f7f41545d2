import type { AccountKey } from '../../core/contract/account.ts';
import type { Path, Problem } from '../../core/problem.ts';
import type { SourceRow } from '../csv/source-row.ts';
import type { ColumnMap } from './column-map.ts';

/** What a row says before it is checked: an account and the fields of a record, or what could not be read. */
export interface Candidate {
  readonly account: AccountKey;
  readonly record: unknown;
  readonly problems: readonly Problem[];
}

/** A mapping made ready for one file: it turns each row into a candidate and knows which column fed which field. */
export interface MappingPlan {
  readonly columns: ColumnMap;
  candidateOf(row: SourceRow): Candidate;
}

/** Whether one path lies at or below another. */
export function isUnder(path: Path, ancestor: Path): boolean {
  return ancestor.length <= path.length && ancestor.every((part, index) => part === path[index]);
}
