import type { Path } from '../../core/problem.ts';
import type { ItemCell } from '../csv/source-row.ts';

/** A column of the source and the field that it fills. */
export interface MappedColumn {
  /** Zero-based, as in `SourceRow.cells`; null for a key path of JSON Lines. */
  readonly index: number | null;
  readonly header: string;
  /**
   * Dotted path of the field, as in `attr`; `*` in place of an index means every item of a list. A later alternative of a field has its
   * number behind it (`alternativeOf`).
   */
  readonly attr: string;
  /** Name of the joined file that has the column; left out for the file of the record. */
  readonly file?: string;
}

/** A cell, a column or a line, relative to the file and the first line of its record. Without a column, none feeds the field. */
export type RecordCell = ItemCell;

/** An item of a list that comes from another row than the first of its record, or from another file. */
export interface RecordPart {
  /** Dotted path of the item, such as `line_items.1`. */
  readonly attr: string;
  /** Name of the joined file; null: the file of the record. */
  readonly file: string | null;
  readonly line: number;
  /** Path in the column map, where it is not `attr`: of an item, because items close up when one is left out; of an alternative. */
  readonly columns?: string;
}

/** The way back from a field of a record to the column that fed it. Plain data, so that it can be kept with a run. */
export type ColumnMap = readonly MappedColumn[];

/** The path in the column map of an alternative of a field. The first one has the path of the field. */
export function alternativeOf(field: Path, index: number): Path {
  return index === 0 ? field : [...field, `~${index}`];
}

/** The path of the field that a path in the column map belongs to. */
export const withoutAlternative = (attr: string): string => attr.replace(ALTERNATIVE, '');

const ALTERNATIVE = /\.~\d+$/;

/** Whether only the record itself says which column fed a field. */
export function hasAlternatives(columns: ColumnMap, path: Path): boolean {
  const field = path.join('.');
  return columns.some(({ attr }) => attr !== withoutAlternative(attr) && withoutAlternative(attr) === field);
}

/** No cell in particular. */
export const NO_CELL: RecordCell = { file: null, line: null, column: null, header: null };

/**
 * The cell that fed a field. Looks for a column of the field itself, else of the nearest object or list around it, else for
 * the first column of its parts.
 */
export function cellOf(columns: ColumnMap, path: Path, parts: readonly RecordPart[] = []): RecordCell {
  const part = innermost(parts, path);
  const here = { file: part?.file ?? null, line: part?.line ?? null };
  const mapped =
    part?.columns === undefined
      ? path
      : [...part.columns.split('.'), ...path.slice(part.attr.split('.').length)];
  // An alternative without a column is a constant. The columns of the other alternatives have not fed the field.
  const least =
    part?.columns !== undefined && ALTERNATIVE.test(part.columns) ? part.columns.split('.').length : 1;
  for (let length = mapped.length; length >= least; length--) {
    const outer = mapped.slice(0, length);
    const column =
      columns.find(({ attr }) => attr.split('.').length === length && leadsTo(attr.split('.'), outer)) ??
      columns.find(({ attr }) => leadsTo(outer, attr.split('.')));
    if (column) {
      const { index, header } = column;
      return { ...here, column: index === null ? null : index + 1, header };
    }
  }
  return { ...NO_CELL, ...here };
}

function innermost(parts: readonly RecordPart[], path: Path): RecordPart | undefined {
  const around = parts.filter(({ attr }) => leadsTo(attr.split('.'), path));
  return around.toSorted((a, b) => b.attr.split('.').length - a.attr.split('.').length)[0];
}

/** Whether one path is the beginning of another. `*` matches every index. */
function leadsTo(outer: Path, inner: Path): boolean {
  return outer.length <= inner.length && outer.every((part, at) => samePart(String(part), String(inner[at])));
}

function samePart(a: string, b: string): boolean {
  return a === b || (a === '*' && /^\d+$/.test(b)) || (b === '*' && /^\d+$/.test(a));
}
