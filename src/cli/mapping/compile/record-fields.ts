import { attrOfPath, failure, type Path } from '../../../core/problem.ts';
import { elementCells, onlyElement } from '../../csv/key-paths.ts';
import {
  alternativesOf,
  type EachSpec,
  type FieldSpec,
  type ItemSpec,
  type JoinSpec,
  type ListSpec,
} from '../language/field-spec.ts';
import { neededFields, orderByNeeds } from '../language/field-visits.ts';
import { fieldIn, type ListShape, type ObjectFieldShape, type ObjectShape } from '../language/fields.ts';
import { joinedSource } from '../language/source.ts';
import { columnsOf } from './columns.ts';
import { alternative, firstOf, type CompiledField, type CompiledObject } from './compiled-field.ts';
import { allOf } from './condition.ts';
import { keyOf } from './joined-files.ts';
import { readColumn, sourceCell, type Level } from './level.ts';
import { itemScope, noteKey, report, type Scope } from './scope.ts';
import type { TargetField } from './field-steps.ts';
import { valueAlternative, valueField } from './value-field.ts';

/**
 * Compiles the fields of a record or of an item. Each is made after those that its conditions look at. The keys of the object
 * are in the order of the interface; undefined when no field has a value.
 */
export function objectFields(
  specs: Readonly<Record<string, FieldSpec>>,
  shape: ObjectShape,
  level: Level,
): CompiledObject {
  const names = Object.keys(specs);
  const fields = names.map((name) => fieldOf(name, specs[name]!, shape, level));
  const { order, circle } = orderByNeeds(names, (name) => neededFields(specs[name]!));
  const makes = [...order, ...circle].map((name) => {
    const slot = names.indexOf(name);
    return [slot, fields[slot]!.make] as const;
  });
  const inInterfaceOrder = [...new Set([...Object.keys(shape.fields), ...names])]
    .filter((name) => names.includes(name))
    .map((name) => [name, names.indexOf(name)] as const);
  return {
    readers: fields.flatMap(({ readers }) => readers),
    aloneField: (name) =>
      name in specs && neededFields(specs[name]!).length === 0
        ? fields[names.indexOf(name)]!.make
        : undefined,
    make(scope) {
      const { values } = scope;
      for (const [slot, make] of makes) values[slot] = make(scope);
      const object: Record<string, unknown> = {};
      let isEmpty = true;
      for (const [name, slot] of inInterfaceOrder) {
        const value = values[slot];
        if (value === undefined) continue;
        object[name] = value;
        isEmpty = false;
      }
      return isEmpty ? undefined : object;
    },
  };
}

function fieldOf(name: string, spec: FieldSpec, around: ObjectShape, level: Level): CompiledField {
  const shape = fieldIn(around, name)!;
  const path = [name];
  if (shape.kind === 'leaf')
    return valueField(spec, { path, facts: shape.facts, kind: shape.facts.kind }, level);
  const isFree = shape.kind === 'object' && shape.isOpen === true;
  const inOneCell: TargetField = { path, facts: { kind: isFree ? 'json' : 'text' }, kind: 'json' };
  return firstOf(
    alternativesOf(spec).map((each) => {
      if (each.column !== undefined) return valueAlternative(each, inOneCell, level);
      const { fields = {} } = each;
      const parts =
        shape.kind === 'object'
          ? objectOf(fields, { path, shape }, level)
          : listOf(each, { path, shape }, level);
      return alternative(parts, each, { path, level });
    }),
  );
}

/** An object in a field, made of its fields. It is left out when all of its cells are empty. */
function objectOf(
  fields: Readonly<Record<string, FieldSpec>>,
  { path, shape }: { path: Path; shape: ObjectFieldShape },
  level: Level,
): CompiledField {
  const inner = { ...level, origin: [...level.origin, ...path], outer: level, names: Object.keys(fields) };
  const { make, readers } = objectFields(fields, shape, inner);
  return {
    readers,
    make: (scope) =>
      readers.length > 0 && readers.every((read) => read(scope) === undefined)
        ? undefined
        : make({
            ...scope,
            path: [...scope.path, ...path],
            origin: [...scope.origin, ...path],
            values: [],
            outer: scope,
          }),
  };
}

/** A field of the interface that has a list, and the path of the list. */
type TargetList = { readonly path: Path; readonly shape: ListShape };

function listOf(spec: ListSpec, target: TargetList, level: Level): CompiledField {
  if (spec.rows) return itemsOfRows(spec.rows, target, level);
  if (spec.join) return itemsOfJoin(spec.join, target, level);
  if (spec.each) return itemsOfEach(spec.each, target, level);
  return numberedItems(spec.items ?? repeatedItems(spec), target, level);
}

/** Items of columns of the record itself. Empty items are left out, and the others close up. */
function numberedItems(specs: readonly ItemSpec[], target: TargetList, level: Level): CompiledField {
  const items = specs.map((spec, index) =>
    itemField(spec, target, { ...level, ...inside(level, target, index) }),
  );
  return {
    readers: items.flatMap(({ readers }) => readers),
    make: (scope) =>
      collected(items.entries(), ([origin, item], at) =>
        itemValue(item, itemScope(scope, { list: target.path, at, origin })),
      ),
  };
}

function itemsOfRows(
  { item, when }: NonNullable<ListSpec['rows']>,
  target: TargetList,
  level: Level,
): CompiledField {
  const make = rowItem(item, target, { ...level, ...inside(level, target, '*'), use: 'row' }, when);
  return {
    readers: [],
    make: (scope) =>
      collected(scope.record.rows, (row, at) => {
        const line = row === scope.record.rows[0] ? null : row.firstLine;
        return make(scope, at, { cells: row.cells, line, file: scope.file });
      }),
  };
}

/** One item for each row of a second file that has the key of the record. */
function itemsOfJoin(spec: JoinSpec, target: TargetList, level: Level): CompiledField {
  const table = level.joins.get(spec)!;
  const columns = columnsOf(table.names, { file: table.file });
  level.found.joined.push(columns);
  const source = joinedSource(level.source, spec.source);
  const rowLevel: Level = { ...level, ...inside(level, target, '*'), use: 'row', columns, source };
  const make = rowItem(spec.item, target, rowLevel, spec.when);
  // The rows were stored by these columns already. Binding them reports those that the second file does not have.
  for (const name of Object.values(spec.key)) columns.bind(name, 'other');
  const keys = Object.keys(spec.key).map((name) => readColumn(level, name));
  return {
    readers: [],
    make(scope) {
      const texts = keys.map(({ read }) => read(scope.cells));
      const key = keyOf(texts);
      if (key === undefined) return undefined;
      keys.forEach(({ column }, at) => noteKey(scope, column, { path: target.path, text: texts[at] }));
      return collected(table.rows.take(key), ({ cells, line }, at) =>
        make(scope, at, { cells, line, file: table.file }),
      );
    },
  };
}

/**
 * One item for each object of a list of JSON Lines. A program that makes JSON of XML writes a list with one object as that
 * object.
 */
function itemsOfEach(spec: EachSpec, target: TargetList, level: Level): CompiledField {
  const list = level.columns.bind(spec.column, level.use, true);
  const read = sourceCell(level, list);
  const below = `${spec.column}.`;
  const ofOne = level.columns.names.filter((name) => name.startsWith(below));
  const paths = new Set([
    ...(level.elements?.get(spec.column) ?? []),
    ...ofOne.map((name) => name.slice(below.length)),
  ]);
  const columns = columnsOf([...paths], { list: spec.column, isKeyed: level.columns.isKeyed });
  // Where the list has no object in any line, it is not known which keys an object would have.
  if (level.elements === null || paths.size > 0) level.found.joined.push(columns);
  const make = rowItem(
    spec.item,
    target,
    { ...level, ...inside(level, target, '*'), use: 'row', columns },
    spec.when,
  );
  return {
    readers: [({ cells }) => (onlyElement(cells, spec.column) ? '' : read(cells))],
    make(scope) {
      const text = read(scope.cells);
      const one = onlyElement(scope.cells, spec.column);
      const elements = one ?? (text === undefined ? [] : elementCells(text));
      if (!elements) {
        const reason = 'the value is no list of objects';
        report(scope, target.path, list, failure('list_unreadable', [], { reason }));
        return undefined;
      }
      const { line, file } = scope;
      return collected(elements.entries(), ([element, found], at) =>
        make(scope, at, { cells: found.in(columns.names), line, file, element }),
      );
    },
  };
}

/** Makes the item of a row; undefined when its conditions do not hold or its cells are empty. */
function rowItem(
  spec: ItemSpec,
  target: TargetList,
  level: Level,
  when: JoinSpec['when'],
): (scope: Scope, at: number, cells: NonNullable<Parameters<typeof itemScope>[1]['cells']>) => unknown {
  const item = itemField(spec, target, level);
  const isWanted = allOf(when, { ...level, names: [] });
  return (scope, at, cells) => {
    const row = itemScope(scope, { list: target.path, at, origin: '*', cells });
    return isWanted && !isWanted(row) ? undefined : itemValue(item, row);
  };
}

/** How the level of the items of a list differs from the level around it. */
function inside(level: Level, { path }: TargetList, index: number | '*'): Pick<Level, 'origin' | 'outer'> {
  return { origin: [...level.origin, ...path, index], outer: level };
}

function itemField(spec: ItemSpec, { shape: { item } }: TargetList, level: Level): CompiledField {
  if (item.kind === 'object') {
    const fields = spec as Readonly<Record<string, FieldSpec>>;
    return objectFields(fields, item, { ...level, names: Object.keys(fields) });
  }
  const target = { path: [], facts: item.facts, kind: item.facts.kind };
  return valueField(spec as FieldSpec, target, { ...level, names: [] });
}

/**
 * The value of an item; undefined when all of its cells are empty. Notes where the item comes from, when the column map
 * alone does not lead there.
 */
function itemValue({ make, readers }: CompiledField, scope: Scope): unknown {
  if (readers.length > 0 && readers.every((read) => read(scope) === undefined)) return undefined;
  const value = make(scope);
  if (value === undefined) return undefined;
  const { file, line, path, origin, record } = scope;
  const hasMoved = path.some((part, at) => origin[at] !== part && origin[at] !== '*');
  if (line !== null || hasMoved) {
    record.parts.push({
      attr: attrOfPath(path),
      file,
      line: line ?? record.rows[0].firstLine,
      ...(hasMoved ? { columns: attrOfPath(origin) } : {}),
    });
  }
  return value;
}

/** A list of the values that `make` gives; undefined when there are none. */
function collected<T>(from: Iterable<T>, make: (each: T, at: number) => unknown): unknown {
  const list: unknown[] = [];
  for (const each of from) {
    const value = make(each, list.length);
    if (value !== undefined) list.push(value);
  }
  return list.length === 0 ? undefined : list;
}

/** The items that `repeat` makes: one for each number, which replaces `{n}` in names of columns. */
function repeatedItems({ repeat, item }: Pick<ListSpec, 'repeat' | 'item'>): readonly ItemSpec[] {
  const { from, to } = repeat!;
  return Array.from({ length: to - from + 1 }, (_, index) => numbered(item!, String(from + index)));
}

/** Keys whose texts are no names of columns. Their values stay as they are, also because lookup tables are found by their identity. */
const NO_COLUMNS = new Set(['constant', 'lookup', 'replace', 'in', 'not_in', 'matches', 'null_tokens']);

function numbered<T>(spec: T, number: string): T {
  if (typeof spec === 'string') return spec.replaceAll('{n}', number) as T;
  if (Array.isArray(spec)) return spec.map((each: unknown) => numbered(each, number)) as T;
  if (typeof spec !== 'object' || spec === null) return spec;
  return Object.fromEntries(
    Object.entries(spec).map(([key, value]: [string, unknown]) => [
      key,
      NO_COLUMNS.has(key) ? value : numbered(value, number),
    ]),
  ) as T;
}
