import type { Path, Problem } from '../../core/problem.ts';
import type { MappingProblem, RecordRows } from './candidate.ts';
import type { RecordPart } from './column-map.ts';

/** A column of a file that a mapping reads. */
export interface BoundColumn {
  /** Zero-based; -1 for a column that the file does not have, whose cells are all empty. */
  readonly index: number;
  readonly header: string;
}

/** What mapping finds while it makes one record. */
export interface RecordInTheMaking {
  readonly rows: RecordRows;
  readonly problems: MappingProblem[];
  readonly parts: RecordPart[];
}

/** What the fields of a record, or of one item of it, are made from. */
export interface Scope {
  readonly cells: readonly string[];
  /** Where the cells stand: name of the joined file, or null; line, or null for the first of the record. */
  readonly file: string | null;
  readonly line: number | null;
  /** Where in the record the fields go, and under which path the column map knows their columns. */
  readonly path: Path;
  readonly origin: Path;
  /** Values that the fields have so far, by their slots. */
  readonly values: unknown[];
  /** Of the record, for an item. */
  readonly outer: Scope | null;
  readonly record: RecordInTheMaking;
}

/** The scope in which the fields of a record are made. */
export function recordScope(rows: RecordRows, slots: number): Scope {
  return {
    cells: rows[0].cells,
    file: null,
    line: null,
    path: [],
    origin: [],
    values: Array.from({ length: slots }),
    outer: null,
    record: { rows, problems: [], parts: [] },
  };
}

/** Notes a problem of a field, with the cell that it comes from. */
export function report(
  { file, line, path, record }: Scope,
  field: Path,
  column: BoundColumn | null,
  problem: Problem,
): void {
  record.problems.push({
    problem: { ...problem, path: [...path, ...field, ...problem.path] },
    place: column && { file, line, column: column.index + 1, header: column.header },
  });
}
