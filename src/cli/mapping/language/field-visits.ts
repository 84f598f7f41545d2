import type { Path } from '../../../core/problem.ts';
import type { ConditionSpec } from './conditions.ts';
import { alternativesOf, type FieldSpec, type ItemSpec, type ListSpec } from './field-spec.ts';
import { fieldIn, type FieldShape, type LeafShape, type ListShape, type ObjectShape } from './fields.ts';
import type { MappingDocument } from './mapping.ts';
import { joinedSource, type SourceSpec } from './source.ts';

/** One alternative of one field, and where in the mapping file it is. */
export interface FieldVisit {
  readonly path: Path;
  readonly shape: FieldShape;
  readonly spec: ListSpec;
  /** The source whose cells it reads. */
  readonly source: SourceSpec;
  /** Names that conditions on a `field` can mean: those beside it, then those of the record. */
  readonly names: readonly string[];
}

/** An alternative of a field that has one value. */
export type LeafVisit = FieldVisit & { readonly shape: LeafShape };

/** Every alternative of every field of a mapping, those inside of lists included. */
export function visitFields({ shape, source = {}, fields }: MappingDocument): Generator<FieldVisit> {
  return visitObject(fields, shape, { path: ['fields'], source, names: [] });
}

type Within = Omit<FieldVisit, 'shape' | 'spec'>;

function* visitObject(
  fields: Readonly<Record<string, FieldSpec>>,
  shape: ObjectShape,
  within: Within,
): Generator<FieldVisit> {
  const names = [...Object.keys(fields), ...within.names];
  for (const [name, spec] of Object.entries(fields)) {
    yield* visitField(spec, fieldIn(shape, name)!, { ...within, names, path: [...within.path, name] });
  }
}

function* visitField(spec: FieldSpec, shape: FieldShape, within: Within): Generator<FieldVisit> {
  for (const [index, alternative] of alternativesOf(spec).entries()) {
    const path = Array.isArray(spec) ? [...within.path, index] : within.path;
    yield { ...within, path, shape, spec: alternative };
    if (shape.kind === 'list') yield* visitItems(alternative, shape, { ...within, path });
    if (shape.kind === 'object' && alternative.fields)
      yield* visitObject(alternative.fields, shape, { ...within, path: [...path, 'fields'] });
  }
}

function* visitItems(spec: ListSpec, { item }: ListShape, within: Within): Generator<FieldVisit> {
  for (const { spec: inner, path, source } of itemsOf(spec, within)) {
    if (item.kind === 'leaf') yield* visitField(inner as FieldSpec, item, { ...within, path, source });
    else yield* visitObject(inner as Readonly<Record<string, FieldSpec>>, item, { ...within, path, source });
  }
}

/** The items that a list describes, under whichever key. */
export function itemsOf(
  { items = [], item, rows, join, each }: ListSpec,
  { path, source }: Pick<Within, 'path' | 'source'>,
): readonly { spec: ItemSpec; path: Path; source: SourceSpec }[] {
  return [
    ...items.map((spec, index) => ({ spec, path: [...path, 'items', index], source })),
    ...(item === undefined ? [] : [{ spec: item, path: [...path, 'item'], source }]),
    ...(rows ? [{ spec: rows.item, path: [...path, 'rows', 'item'], source }] : []),
    ...(each ? [{ spec: each.item, path: [...path, 'each', 'item'], source }] : []),
    ...(join
      ? [{ spec: join.item, path: [...path, 'join', 'item'], source: joinedSource(source, join.source) }]
      : []),
  ];
}

/** A condition, and where in the mapping file it is. */
type ConditionAt = { readonly condition: ConditionSpec; readonly path: Path };

/** The conditions of one alternative. */
export function conditionsOf({ spec, path }: Pick<FieldVisit, 'spec' | 'path'>): readonly ConditionAt[] {
  const ofRows = (['rows', 'join', 'each'] as const).flatMap((key) =>
    listed(spec[key]?.when, [...path, key, 'when']),
  );
  return [...listed(spec.when, [...path, 'when']), ...ofRows];
}

/** The conditions of rows: those of the filter and of the continuation. */
export function rowConditions({ filter = [], continuation }: MappingDocument): readonly ConditionAt[] {
  return [
    ...filter.flatMap((list, at) => listed(list, ['filter', at])),
    ...listed(continuation?.when, ['continuation', 'when']),
  ];
}

function listed(list: readonly ConditionSpec[] = [], path: Path): readonly ConditionAt[] {
  return list.map((condition, index) => ({ condition, path: [...path, index] }));
}

/** Whether a part of a mapping is about a second file, or about the objects of a list, and not about the columns of the file. */
export const isElsewhere = (path: Path): boolean => path.includes('join') || path.includes('each');

/** Fields whose values decide whether a field has one. Fields that its items look at by themselves are not among them. */
export function neededFields(spec: FieldSpec): readonly string[] {
  return alternativesOf(spec).flatMap((each) =>
    conditionsOf({ spec: each, path: [] }).flatMap(({ condition }) => condition.field ?? []),
  );
}

export function isLeaf(visit: FieldVisit): visit is LeafVisit {
  return visit.shape.kind === 'leaf';
}

/** Names in an order in which each comes after those that it needs, and those that need each other in a circle. */
type FieldOrder = { readonly order: readonly string[]; readonly circle: readonly string[] };

/** Sorts names by their needs. A need that is none of the names counts as met. */
export function orderByNeeds(
  names: readonly string[],
  needsOf: (name: string) => readonly string[],
): FieldOrder {
  const order: string[] = [];
  const waiting = new Set(names);
  for (let found = true; found;) {
    found = false;
    for (const name of waiting) {
      if (needsOf(name).some((need) => waiting.has(need))) continue;
      waiting.delete(name);
      order.push(name);
      found = true;
    }
  }
  return { order, circle: [...waiting] };
}
