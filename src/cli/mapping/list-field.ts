import type { Path } from '../../core/problem.ts';
import { columnsOf } from './columns.ts';
import {
  firstOf,
  type CompiledAlternative,
  type CompiledField,
  type CompiledItem,
  type CompileObject,
} from './compiled-field.ts';
import { allOf } from './condition.ts';
import type { FieldMaker } from './field-maker.ts';
import type { ListShape } from './field-shape.ts';
import { keyOf } from './join.ts';
import { collected, itemScope, itemValue } from './list-items.ts';
import { alternativesOf } from './mapping-file/field-walk.ts';
import type { FieldSpec, ItemSpec, JoinSpec, ListSpec } from './mapping-file/field-schema.ts';
import { repeatedItems } from './repeated-items.ts';
import { joinedSource } from './source-settings.ts';
import { settled, valueAlternative, valueField } from './value-field.ts';

/** Where a list goes, what its items are, and how those that are objects are compiled. */
interface ListPlace {
  readonly path: Path;
  readonly shape: ListShape;
  readonly compileObject: CompileObject<FieldMaker>;
}

/** Compiles a field that holds a list. */
export function listField(spec: FieldSpec, place: ListPlace, maker: FieldMaker): CompiledField {
  return firstOf(alternativesOf(spec).map((each) => listAlternative(each, place, maker)));
}

function listAlternative(spec: ListSpec, place: ListPlace, maker: FieldMaker): CompiledAlternative {
  const { path, shape } = place;
  if (spec.column !== undefined) {
    const facts = shape.item.kind === 'leaf' ? shape.item.facts : ({ kind: 'text' } as const);
    return valueAlternative(spec, { path, facts, kind: 'json' }, maker);
  }
  const { make, readers } = listOf(spec, place, maker);
  return { when: allOf(spec.when, maker), readers, make: settled(make, spec.required ? path : undefined) };
}

function listOf(spec: ListSpec, place: ListPlace, maker: FieldMaker): CompiledField {
  if (spec.rows) return itemsOfRows(spec.rows, place, maker);
  if (spec.join) return itemsOfJoin(spec.join, place, maker);
  return numberedItems(spec.items ?? repeatedItems(spec, place.shape.item), place, maker);
}

/** Items of columns of the record itself; those that are empty are left out, and the others close up. */
function numberedItems(specs: readonly ItemSpec[], place: ListPlace, maker: FieldMaker): CompiledField {
  const { path } = place;
  const items = specs.map((spec, origin) => {
    const inner = maker.inside({ origin: [...maker.origin, ...path, origin], names: namesOf(spec, place) });
    return { ...itemField(spec, place, inner), origin };
  });
  return {
    readers: items.flatMap(({ readers }) => readers),
    make: (scope) => collected(items, (item, at) => itemValue(item, itemScope(scope, { path, at, ...item }))),
  };
}

/** One item for each row of the record. */
function itemsOfRows(
  { item: spec, when }: NonNullable<ListSpec['rows']>,
  place: ListPlace,
  maker: FieldMaker,
): CompiledField {
  const { path } = place;
  const level = { origin: [...maker.origin, ...path, '*'], use: 'row' } as const;
  const item = itemField(spec, place, maker.inside({ ...level, names: namesOf(spec, place) }));
  const isWanted = allOf(when, maker.inside({ ...level, names: [] }));
  return {
    readers: [],
    make: (scope) =>
      collected(scope.record.rows, (row, at) => {
        const line = row === scope.record.rows[0] ? null : row.firstLine;
        const inner = itemScope(scope, { path, at, origin: '*', slots: item.slots });
        const rowScope = { ...inner, cells: row.cells, line };
        return isWanted && !isWanted(rowScope) ? undefined : itemValue(item, rowScope);
      }),
  };
}

/** One item for each row of a second file that has the key of the record. */
function itemsOfJoin(spec: JoinSpec, place: ListPlace, maker: FieldMaker): CompiledField {
  const { path } = place;
  const table = maker.joins.get(spec)!;
  const columns = columnsOf(table.names, table.file);
  maker.reads(columns);
  const level = {
    origin: [...maker.origin, ...path, '*'],
    use: 'row' as const,
    columns,
    source: joinedSource(maker.source, spec.source),
  };
  const item = itemField(spec.item, place, maker.inside({ ...level, names: namesOf(spec.item, place) }));
  const isWanted = allOf(spec.when, maker.inside({ ...level, names: [] }));
  // The second file was read by these already; here it is told when it does not have them.
  for (const name of Object.values(spec.key)) columns.bind(name, 'other');
  const keys = Object.keys(spec.key).map((name) => maker.cellOf(maker.bind(name)));
  return {
    readers: [],
    make(scope) {
      const key = keyOf(keys.map((read) => read(scope.cells)));
      if (key === undefined) return undefined;
      return collected(table.rows.take(key), ({ cells, line }, at) => {
        const inner = itemScope(scope, { path, at, origin: '*', slots: item.slots });
        const rowScope = { ...inner, cells, line, file: table.file };
        return isWanted && !isWanted(rowScope) ? undefined : itemValue(item, rowScope);
      });
    },
  };
}

function itemField(spec: ItemSpec, { shape, compileObject }: ListPlace, maker: FieldMaker): CompiledItem {
  const { item } = shape;
  if (item.kind === 'object') return compileObject(spec as Readonly<Record<string, FieldSpec>>, item, maker);
  const place = { path: [], facts: item.facts, kind: item.facts.kind };
  return { ...valueField(spec as FieldSpec, place, maker), slots: 0 };
}

/** Names of the fields of an item, which its conditions can look at; a plain value has none. */
function namesOf(spec: ItemSpec, { shape }: ListPlace): readonly string[] {
  return shape.item.kind === 'leaf' ? [] : Object.keys(spec);
}
