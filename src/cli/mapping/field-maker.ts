import { cellText } from './cell-text.ts';
import { stepSpecOf } from './source-settings.ts';
import type { MappedColumn } from './column-map.ts';
import type { Columns, ColumnUse } from './columns.ts';
import type { JoinTables } from './join.ts';
import type { LookupTables } from './lookup.ts';
import type { SourceSpec } from './mapping-file/source-schema.ts';
import type { StepSpec } from './mapping-file/step-keys.ts';
import type { BoundColumn, Scope } from './scope.ts';

/** What fields of one level, the record or an item of one list, are compiled with. */
export interface FieldMaker {
  readonly source: SourceSpec;
  /** How the source writes cells that no field reads. */
  readonly sourceSteps: StepSpec;
  readonly columns: Columns;
  readonly tables: LookupTables;
  readonly joins: JoinTables;
  /** Path of the level in the column map; `*` for items that are not known before there is a row. */
  readonly origin: readonly (string | number)[];
  bind(name: string): BoundColumn;
  /** Text of a cell after trimming, undefined when it stands for no value. */
  cellOf(column: BoundColumn): (cells: readonly string[]) => string | undefined;
  /** The value that another field has, of this level or of the record. */
  valueOf(field: string): (scope: Scope) => unknown;
  /** Notes that a column feeds a field. */
  feeds(column: BoundColumn, path: readonly (string | number)[]): void;
  /** Notes the columns of a second file. */
  reads(columns: Columns): void;
  /** The same for the items of a list, whose fields have slots of their own. */
  inside(level: InnerLevel): FieldMaker;
}

/** How the items of a list differ from the record around them. */
export interface InnerLevel {
  readonly origin: readonly (string | number)[];
  readonly names: readonly string[];
  readonly use?: ColumnUse;
  readonly columns?: Columns;
  readonly source?: SourceSpec;
}

interface Level {
  readonly slots: ReadonlyMap<string, number>;
  readonly outer: Level | null;
}

/** What compiling finds out beside the fields: columns that feed fields, and the columns of second files. */
export interface FoundColumns {
  readonly mapped: MappedColumn[];
  readonly joined: Columns[];
}

/** The maker for the fields of a record. */
export function recordMaker(
  given: Pick<FieldMaker, 'source' | 'columns' | 'tables' | 'joins'> & { readonly names: readonly string[] },
  found: FoundColumns,
): FieldMaker {
  const level = { slots: slotsOf(given.names), outer: null };
  return makerOf({ ...given, origin: [], use: 'record' }, level, found);
}

type Given = Pick<FieldMaker, 'source' | 'columns' | 'tables' | 'joins' | 'origin'> & {
  readonly use: ColumnUse;
};

function makerOf(given: Given, level: Level, found: FoundColumns): FieldMaker {
  const { source, columns, use } = given;
  const sourceSteps = stepSpecOf(source);
  return {
    ...given,
    sourceSteps,
    bind: (name) => columns.bind(name, use),
    cellOf: (column) => cellText(column, sourceSteps),
    valueOf: (field) => valueAccess(field, level, 0),
    feeds(column, path) {
      const attr = [...given.origin, ...path].join('.');
      const { file } = columns;
      if (column.index >= 0) found.mapped.push({ ...column, attr, ...(file === null ? {} : { file }) });
    },
    reads: (other) => void found.joined.push(other),
    inside(inner) {
      const { names, ...rest } = inner;
      return makerOf({ ...given, ...rest }, { slots: slotsOf(names), outer: level }, found);
    },
  };
}

function slotsOf(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, slot) => [name, slot]));
}

function valueAccess(field: string, level: Level, depth: number): (scope: Scope) => unknown {
  const slot = level.slots.get(field);
  if (slot !== undefined) return depth === 0 ? (scope) => scope.values[slot] : outerValue(slot, depth);
  if (!level.outer) throw new TypeError('a condition names a field that no mapping fills');
  return valueAccess(field, level.outer, depth + 1);
}

function outerValue(slot: number, depth: number): (scope: Scope) => unknown {
  return (scope) => {
    let at: Scope | null = scope;
    for (let up = 0; up < depth; up++) at = at!.outer;
    return at!.values[slot];
  };
}
