import type { AccountKey } from '../../core/contract/account.ts';
import type { Path, Problem } from '../../core/problem.ts';
import type { SourceRow } from '../csv/source-row.ts';
import type { RecordCell, ColumnMap, RecordPart } from './column-map.ts';

/** The rows of one record, in file order; more than one when rows continue others. */
export type RecordRows = readonly [SourceRow, ...SourceRow[]];

/** A problem, and the cell where it was found. */
export interface CellProblem {
  readonly problem: Problem;
  /** Null when the path of the problem leads to the cell. */
  readonly cell: RecordCell | null;
}

/**
 * A cell that feeds a field through steps that could hide what is wrong with it, such as `template`, `pad` or `replace`. `name`: it is part
 * of a text of the record. `value`: a number or a date is made of it. `key`: it decides which rows belong to the record.
 */
export interface SourceCell {
  /** Path of the field. */
  readonly path: Path;
  readonly role: 'name' | 'value' | 'key';
  /** The text after `trim` and `null_tokens`, and before any other step. */
  readonly text: string;
  readonly cell: RecordCell;
  /** Whether the field replaces characters, so that spaces in the cell may be removed. */
  readonly isReplaced: boolean;
}

/** A record before its check: an account, the fields, and the problems of cells that could not be read. */
export interface Candidate {
  readonly account: AccountKey;
  readonly record: unknown;
  readonly problems: readonly CellProblem[];
  /** Items of lists that come from another row than the first of the record, or from another file. */
  readonly parts: readonly RecordPart[];
  /** Empty for a field whose value shows everything that is wrong with its cell. */
  readonly sourceCells: readonly SourceCell[];
}

/** What the cells of a column are that feeds no field. A column is of the first kind that all of its cells are. */
export const UNUSED_KINDS = [
  'dates',
  'currencies',
  'zones',
  'amounts',
  'states',
  'texts',
  'skipped',
] as const;
export type UnusedKind = (typeof UNUSED_KINDS)[number];

/** Cells that feed no field: those of a column, or characters that a fixed format skips. */
export interface UnusedCells {
  /** Name of a joined file; null for the file of the records. */
  readonly file: string | null;
  readonly header: string;
  readonly kind: UnusedKind;
  readonly filled: number;
  /** The exact sum, where all of them are numbers. */
  readonly sum: string | null;
  /** The different values; null for many. */
  readonly values: ReadonlySet<string> | null;
  /** Two of the values. */
  readonly examples: readonly string[];
  /** Whether `ignore` says that they are left out on purpose. */
  readonly isAcknowledged: boolean;
}

/** The totals that the control records of a file have to agree with. */
export interface TrailerCheck {
  /** How many control records the file has to have. */
  readonly trailers: number;
  /** Counts a row of data. */
  see(row: SourceRow, isLeftOut: boolean): void;
  /** The problems of a control record, by its mark. */
  verdict(mark: number, row: SourceRow): readonly CellProblem[];
}

/** A mapping made ready for one file. Turns rows into candidates and knows which column fed which field. */
export interface MappingPlan {
  readonly columns: ColumnMap;
  /** The place of the entry of `filter` that leaves a row out, such as `x.csv.map.yaml:31:5`; undefined when none does. */
  filteredBy(row: SourceRow): string | undefined;
  /**
   * Whether a row goes on with the record that `first` began. Without `first`, whether the row can only be the continuation of another row.
   */
  continues(row: SourceRow, first: SourceRow | undefined): boolean;
  /** The account number, before the record is made; undefined where no cell has it, or other fields decide about it. */
  accountNumberIn(rows: RecordRows): string | undefined;
  /** The amount of rows that are left out; undefined where no cell has it, or other fields decide about it. */
  amountIn(rows: RecordRows): string | undefined;
  /** `isTrial`: the rows are no record of the file, so they count for nothing that is known over all rows. */
  candidateOf(rows: RecordRows, isTrial?: boolean): Candidate;
  /** Notes rows that are left out, so that the rows of joined files that belong to them count as left out, too. */
  leaveOut(rows: RecordRows): void;
  /** Counts rows of another shard in the checks over all rows. No record is made of them. */
  passOver(rows: RecordRows): void;
  /** Null when the mapping expects no control record. */
  readonly trailer: TrailerCheck | null;
  /** Problems that are known once every row was mapped, such as rows of a joined file that no record asked for. */
  leftOver(): Iterable<CellProblem>;
  /** The filled cells of the rows that feed no field. */
  unused(): readonly UnusedCells[];
  /** The places of the entries of `filter` whose columns `ignore` names. */
  readonly acknowledged: ReadonlySet<string>;
}

/** The plan for a file with this header, and the problems of single columns or of the header as a whole. */
export type PlanResult = { readonly plan: MappingPlan; readonly problems: readonly CellProblem[] };

/** Whether one path is at or below another. */
export function isUnder(path: Path, ancestor: Path): boolean {
  return ancestor.every((part, index) => part === path[index]);
}
