import type { AccountKey } from '../../core/contract/account.ts';
import type { Path, Problem } from '../../core/problem.ts';
import type { Decimal } from '../../core/values/decimal.ts';
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

/** A column that nothing in the mapping uses. */
export interface UnusedColumn {
  readonly header: string;
  /** Null for a key of the objects of a list. */
  readonly textOf: ((row: SourceRow) => string | undefined) | null;
  readonly readNumber: (text: string) => Decimal | undefined;
  /** Whether `ignore` names it, or says `all`. */
  readonly isIgnored: 'by_name' | 'by_all' | false;
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
  amountIn(rows: RecordRows): Decimal | undefined;
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
  readonly unused: readonly UnusedColumn[];
  /** The places of the entries of `filter` whose columns `ignore` names. */
  readonly acknowledged: ReadonlySet<string>;
}

/** The plan for a file with this header, and the problems of single columns or of the header as a whole. */
export type PlanResult = { readonly plan: MappingPlan; readonly problems: readonly CellProblem[] };

/** Whether one path is at or below another. */
export function isUnder(path: Path, ancestor: Path): boolean {
  return ancestor.every((part, index) => part === path[index]);
}
