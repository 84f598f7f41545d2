import type { Path } from '../../../core/problem.ts';
import type { Tally } from '../../../core/values/counts.ts';
import type { MappedColumn } from '../column-map.ts';
import type { LookupTables } from '../language/lookup.ts';
import type { ElementPaths } from '../../csv/source-row.ts';
import { stepSpecOf, type SourceSpec } from '../language/source.ts';
import type { AmountColumn } from './amount-decimals.ts';
import { cellText, type CellText, type Columns, type ColumnUse, type BoundColumn } from './columns.ts';
import type { JoinTables } from './joined-files.ts';
import type { Scope } from './scope.ts';

/** The setting in which the fields of one level, the record or an item of one list, are compiled. */
export interface Level {
  readonly source: SourceSpec;
  readonly columns: Columns;
  readonly use: ColumnUse;
  readonly tables: LookupTables;
  readonly joins: JoinTables;
  /** The key paths inside of the lists of JSON Lines; null for any other file. */
  readonly elements: ElementPaths | null;
  /** Of a query: the columns whose values are written as the interface writes them, whatever the source says. */
  readonly typed: ReadonlySet<string> | undefined;
  /** Path of the level in the column map; `*` for items that are not known before there is a row. */
  readonly origin: Path;
  /** Names of its fields. A field has the slot of its name. */
  readonly names: readonly string[];
  /** The level around it; null for a record. */
  readonly outer: Level | null;
  readonly found: FoundColumns;
}

/** Results of compiling beside the fields: the columns that feed fields, and the columns of second files. */
export interface FoundColumns {
  readonly mapped: MappedColumn[];
  /** Columns of second files, and of the objects of lists. */
  readonly joined: Columns[];
  /** Columns of money, by their headers; those of second files have the name of the file before it. */
  readonly amounts: Map<string, AmountColumn>;
  /** Columns of text that feed numbers of a query. Its files have different marks, so nobody knows how to read the text. */
  readonly unmarked: string[];
}

/** How often something occurs, and the line of the first. */
export type LineTally = Tally<number>;

/** A column, and how it is read for something that is no field. */
export function readColumn(level: Pick<Level, 'columns' | 'use' | 'source'>, name: string) {
  const column = level.columns.bind(name, level.use);
  return { column, read: sourceCell(level, column) };
}

/** Reads a column as the source writes cells, whatever a field says; for columns that feed no field. */
export function sourceCell({ source }: Pick<Level, 'source'>, column: BoundColumn): CellText {
  return cellText(column, stepSpecOf(source));
}

export function noteFeed({ origin, columns, found }: Level, column: BoundColumn, path: Path): void {
  const { file, isKeyed } = columns;
  const { index, header } = column;
  const attr = [...origin, ...path].join('.');
  if (index >= 0)
    found.mapped.push({ index: isKeyed ? null : index, header, attr, ...(file === null ? {} : { file }) });
}

/** Reads the value of another field, of this level or of a level around it. */
export function fieldValue(level: Level, field: string): (scope: Scope) => unknown {
  const slot = level.names.indexOf(field);
  if (slot >= 0) return (scope) => scope.values[slot];
  if (!level.outer) throw new TypeError('a condition names a field that no mapping fills');
  const read = fieldValue(level.outer, field);
  return (scope) => read(scope.outer!);
}
