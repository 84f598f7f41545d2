import type { Path } from '../../../core/problem.ts';
import type { FieldShape, LeafShape, ListShape, ObjectShape } from '../field-shape.ts';
import { joinedSource } from '../source-settings.ts';
import type { ConditionSpec } from './condition-schema.ts';
import type { FieldSpec, ItemSpec, ListSpec } from './field-schema.ts';
import type { SourceSpec } from './source-schema.ts';

/** One way in which one field gets its value, and where the mapping file says so. */
export interface FieldVisit {
  readonly path: Path;
  readonly shape: FieldShape;
  readonly spec: ListSpec;
  /** The source whose cells it reads. */
  readonly source: SourceSpec;
  /** Names that conditions on a `field` can mean: those beside it, then those of the record. */
  readonly names: readonly string[];
}

/** The same of a field that holds one value. */
export type LeafVisit = FieldVisit & { readonly shape: LeafShape };

/** Alternatives of a field as objects, the short form written out. */
export function alternativesOf(spec: FieldSpec): readonly ListSpec[] {
  const list = Array.isArray(spec) ? (spec as readonly (string | ListSpec)[]) : [spec as string | ListSpec];
  return list.map((each) => (typeof each === 'string' ? { column: each } : each));
}

/** Every alternative of every field, those inside of lists among them. */
export function* visitFields(
  fields: Readonly<Record<string, FieldSpec>>,
  shape: ObjectShape,
  within: { readonly path: Path; readonly source: SourceSpec; readonly names: readonly string[] },
): Generator<FieldVisit> {
  const names = [...Object.keys(fields), ...within.names];
  for (const [name, spec] of Object.entries(fields)) {
    yield* visitField(spec, shape.fields[name]!, { ...within, names, path: [...within.path, name] });
  }
}

type Within = Omit<FieldVisit, 'shape' | 'spec'>;

function* visitField(spec: FieldSpec, shape: FieldShape, within: Within): Generator<FieldVisit> {
  for (const [index, alternative] of alternativesOf(spec).entries()) {
    const path = Array.isArray(spec) ? [...within.path, index] : within.path;
    yield { ...within, path, shape, spec: alternative };
    if (shape.kind === 'list') yield* visitItems(alternative, shape, { ...within, path });
  }
}

function* visitItems(spec: ListSpec, { item }: ListShape, within: Within): Generator<FieldVisit> {
  for (const { spec: inner, path, source } of itemsOf(spec, within)) {
    const place = { ...within, path, source };
    if (item.kind === 'leaf') yield* visitField(inner as FieldSpec, item, place);
    else yield* visitFields(inner as Readonly<Record<string, FieldSpec>>, item, place);
  }
}

/** What a list says of its items, wherever it says it. */
export function itemsOf(
  { items = [], item, rows, join }: ListSpec,
  { path, source }: Pick<Within, 'path' | 'source'>,
): readonly { readonly spec: ItemSpec; readonly path: Path; readonly source: SourceSpec }[] {
  return [
    ...items.map((spec, index) => ({ spec, path: [...path, 'items', index], source })),
    ...(item === undefined ? [] : [{ spec: item, path: [...path, 'item'], source }]),
    ...(rows ? [{ spec: rows.item, path: [...path, 'rows', 'item'], source }] : []),
    ...(join
      ? [{ spec: join.item, path: [...path, 'join', 'item'], source: joinedSource(source, join.source) }]
      : []),
  ];
}

/** The conditions of one alternative, with their places. */
export function conditionsOf({ spec, path }: Pick<FieldVisit, 'spec' | 'path'>): readonly {
  readonly condition: ConditionSpec;
  readonly path: Path;
}[] {
  const lists: readonly [readonly ConditionSpec[] | undefined, Path][] = [
    [spec.when, ['when']],
    [spec.rows?.when, ['rows', 'when']],
    [spec.join?.when, ['join', 'when']],
  ];
  return lists.flatMap(([conditions = [], key]) =>
    conditions.map((condition, index) => ({ condition, path: [...path, ...key, index] })),
  );
}

/** Fields on whose values it depends whether a field has one; what its items look at by themselves is not among them. */
export function neededFields(spec: FieldSpec): readonly string[] {
  return alternativesOf(spec).flatMap((each) =>
    conditionsOf({ spec: each, path: [] }).flatMap(({ condition }) => condition.field ?? []),
  );
}

/** Whether a field holds one value. */
export function isLeaf(visit: FieldVisit): visit is LeafVisit {
  return visit.shape.kind === 'leaf';
}
