import type { Path } from '../../core/problem.ts';

/** A column of the source and the field that it fills. */
export interface MappedColumn {
  /** Zero-based, as in `SourceRow.cells`; null for a key path of JSON Lines. */
  readonly index: number | null;
  readonly header: string;
  /** Dotted path of the field, as in `attr`; `*` in place of an index means every item of a list. */
  readonly attr: string;
  /** Name of the joined file that has the column; left out for the file of the record. */
  readonly file?: string;
}

/** A cell, a column or a line, relative to the file of its record. */
export interface RecordCell {
  /** Null: the file of the record. */
  readonly file: string | null;
  /** One-based; null: the first line of the record. */
  readonly line: number | null;
  /** One-based, as people count columns; null when no column feeds the field. */
  readonly column: number | null;
  readonly header: string | null;
}

/** An item of a list that comes from another row than the first of its record, or from another file. */
export interface RecordPart {
  /** Dotted path of the item, such as `line_items.1`. */
  readonly attr: string;
  /** Name of the joined file; null: the file of the record. */
  readonly file: string | null;
  readonly line: number;
  /** Path of the item in the column map, where it is not `attr`: items close up when one is left out. */
  readonly columns?: string;
}

/** The way back from a field of a record to the column that fed it. Plain data, so that it can be kept with a run. */
export type ColumnMap = readonly MappedColumn[];

/** No cell in particular. */
export const NO_CELL: RecordCell = { file: null, line: null, column: null, header: null };

/**
 * The cell that fed a field. Looks for a column of the field itself, else of the nearest object or list around it, else for
 * the first column of its parts.
 */
export function cellOf(columns: ColumnMap, path: Path, parts: readonly RecordPart[] = []): RecordCell {
  const part = innermost(parts, path);
  const here = { file: part?.file ?? null, line: part?.line ?? null };
  const mapped = part?.columns === undefined ? path : moved(path, part.attr, part.columns);
  for (let length = mapped.length; length > 0; length--) {
    const outer = mapped.slice(0, length);
    const column =
      columns.find(({ attr }) => isPattern(attr.split('.'), outer)) ??
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

function moved(path: Path, from: string, to: string): Path {
  return [...to.split('.'), ...path.slice(from.split('.').length)];
}

function isPattern(attr: readonly string[], path: Path): boolean {
  return attr.length === path.length && leadsTo(attr, path);
}

/** Whether one path is the beginning of another. `*` matches every index. */
function leadsTo(outer: Path, inner: Path): boolean {
  return outer.length <= inner.length && outer.every((part, at) => samePart(String(part), String(inner[at])));
}

function samePart(a: string, b: string): boolean {
  return a === b || (a === '*' && /^\d+$/.test(b)) || (b === '*' && /^\d+$/.test(a));
}
