import type { Path, Problem } from '../../../core/problem.ts';
import type { Cells } from '../../csv/key-paths.ts';
import type { RecordCell, RecordPart } from '../column-map.ts';
import type { CellProblem, RecordRows, SourceCell } from '../mapping-plan.ts';
import type { BoundColumn } from './columns.ts';

/** The record that is being made: its rows, and what mapping found so far. */
export interface RecordInTheMaking {
  readonly rows: RecordRows;
  readonly problems: CellProblem[];
  readonly parts: RecordPart[];
  readonly sourceCells: SourceCell[];
  /** Whether it is made on trial: of a line that is no row, or of a row that is no record here, so that nothing counts. */
  readonly isTrial: boolean;
}

/** The cells, and the values so far, from which the fields of a record or of an item are made. */
export interface Scope {
  readonly cells: Cells;
  /** Where the cells are: name of the joined file, or null; line, or null for the first line of the record. */
  readonly file: string | null;
  readonly line: number | null;
  /** Index of the object in its list, for an item of JSON Lines. */
  readonly element: number | null;
  /** Path of the fields in the record, and the path under which the column map has their columns. */
  readonly path: Path;
  readonly origin: Path;
  /** Values that the fields have so far, by their slots. */
  readonly values: unknown[];
  /** The scope of the record, for an item. */
  readonly outer: Scope | null;
  readonly record: RecordInTheMaking;
}

/** The scope in which the fields of a record are made. */
export function recordScope(rows: RecordRows, isTrial = false): Scope {
  return {
    cells: rows[0].cells,
    file: null,
    line: null,
    element: null,
    path: [],
    origin: [],
    values: [],
    outer: null,
    record: { rows, problems: [], parts: [], sourceCells: [], isTrial },
  };
}

/** The scope of an item. It has the cells of the scope around it, unless `cells` are given. */
export function itemScope(
  scope: Scope,
  item: {
    /** Path of the list, seen from the scope around it. */
    list: Path;
    /** Index of the item in the list, and its index in the column map. */
    at: number;
    origin: string | number;
    cells?: Pick<Scope, 'cells' | 'line' | 'file'> & Partial<Pick<Scope, 'element'>>;
  },
): Scope {
  return {
    ...scope,
    ...item.cells,
    path: [...scope.path, ...item.list, item.at],
    origin: [...scope.origin, ...item.list, item.origin],
    values: [],
    outer: scope,
  };
}

/** The scope with the cells of each row of the record. */
export function rowScopes(scope: Scope): readonly Scope[] {
  const [first, ...later] = scope.record.rows;
  return [
    { ...scope, cells: first.cells },
    ...later.map(({ cells, firstLine }) => ({ ...scope, cells, line: firstLine })),
  ];
}

/** Notes a problem of a field, with the cell that caused it. */
export function report(scope: Scope, field: Path, column: BoundColumn | null, problem: Problem): void {
  const { path, record } = scope;
  record.problems.push({
    problem: { ...problem, path: [...path, ...field, ...problem.path] },
    cell: column && cellIn(scope, column),
  });
}

function cellIn({ file, line, element }: Scope, { cell }: BoundColumn): RecordCell {
  const header = element === null ? cell.header : (cell.header?.replace('[]', `[${element}]`) ?? null);
  return { ...cell, file, line, header };
}

export function lineOf({ line, record }: Scope): number {
  return line ?? record.rows[0].firstLine;
}

/** Notes a cell that a check has to look at before the steps of its field change it. */
export function noteSourceCell(
  scope: Scope,
  column: BoundColumn,
  { path, ...cell }: Pick<SourceCell, 'path' | 'role' | 'text' | 'isReplaced'>,
): void {
  scope.record.sourceCells.push({ ...cell, path: [...scope.path, ...path], cell: cellIn(scope, column) });
}

/** Notes a cell whose text decides which rows belong to the record. */
export function noteKey(
  scope: Scope,
  column: BoundColumn,
  { path, text }: { path: Path; text: string | undefined },
): void {
  if (text !== undefined) noteSourceCell(scope, column, { path, role: 'key', text, isReplaced: true });
}
