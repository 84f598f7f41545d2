import type { AccountKey } from '../../core/contract/account.ts';
import type { Path, Problem } from '../../core/problem.ts';
import type { SourceRow } from '../csv/source-row.ts';
import type { CellPlace, ColumnMap, RecordPart } from './column-map.ts';

/** The rows of one record, in file order; more than one when rows continue others. */
export type RecordRows = readonly [SourceRow, ...SourceRow[]];

/** A problem that mapping found; it knows the very cell, unless the path alone leads to it. */
export interface MappingProblem {
  readonly problem: Problem;
  /** Null when the path of the problem leads to the cell. */
  readonly place: CellPlace | null;
}

/** What rows say before they are checked: an account and the fields of a record, or what could not be read. */
export interface Candidate {
  readonly account: AccountKey;
  readonly record: unknown;
  readonly problems: readonly MappingProblem[];
  /** Items of lists that come from another row than the first of the record, or from another file. */
  readonly parts: readonly RecordPart[];
}

/** The totals that a control record at the end of a file has to agree with. */
export interface TrailerCheck {
  /** Takes a row of data. */
  see(row: SourceRow): void;
  /** What does not agree, once every row was seen; `records` counts what the rows came to. */
  verdict(trailer: SourceRow, records: number): readonly MappingProblem[];
}

/** A mapping made ready for one file: it turns rows into candidates and knows which column fed which field. */
export interface MappingPlan {
  readonly columns: ColumnMap;
  /** Whether a row is left out by the filter of the mapping. */
  isFiltered(row: SourceRow): boolean;
  /**
   * Whether a row goes on with the record that `first` began; without one, whether it can only be the continuation of
   * another row.
   */
  continues(row: SourceRow, first: SourceRow | undefined): boolean;
  candidateOf(rows: RecordRows): Candidate;
  /** Takes note of rows that are left out, so that what belongs to them in joined files counts as left out, too. */
  leaveOut(rows: RecordRows): void;
  /** Null when the mapping expects no control record. */
  readonly trailer: TrailerCheck | null;
  /** What is left over once every row was mapped, such as rows of a joined file that no record asked for. */
  leftOver(): Iterable<{ readonly problem: Problem; readonly place: CellPlace }>;
}

/** Whether one path lies at or below another. */
export function isUnder(path: Path, ancestor: Path): boolean {
  return ancestor.length <= path.length && ancestor.every((part, index) => part === path[index]);
}
