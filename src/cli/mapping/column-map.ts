import { attrOfPath, type Path } from '../../core/problem.ts';

/** A column of the source and the field that it fills. */
export interface MappedColumn {
  /** Zero-based, as in `SourceRow.cells`. */
  readonly index: number;
  readonly header: string;
  /** Dotted path of the field, as in `attr`. */
  readonly attr: string;
}

/** The cell of a row that caused a problem. */
export interface CellPlace {
  /** One-based, as people count columns; null when no column feeds the field. */
  readonly column: number | null;
  readonly header: string | null;
}

/** The way back from a field of a record to the column that fed it. Plain data, so that it can be kept with a run. */
export type ColumnMap = readonly MappedColumn[];

/**
 * The column that fed a field: its own, else that of the nearest object or list around it, else the first column
 * of its parts.
 */
export function placeOf(columns: ColumnMap, path: Path): CellPlace {
  for (let length = path.length; length > 0; length--) {
    const attr = attrOfPath(path.slice(0, length));
    const column =
      columns.find((candidate) => candidate.attr === attr) ??
      columns.find((candidate) => candidate.attr.startsWith(`${attr}.`));
    if (column) return { column: column.index + 1, header: column.header };
  }
  return { column: null, header: null };
}
