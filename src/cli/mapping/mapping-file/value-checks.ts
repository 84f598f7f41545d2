import { failure, type Problem } from '../../../core/problem.ts';
import { isLookupFile } from '../lookup.ts';
import { stepSpecOf } from '../source-settings.ts';
import { templatePieces } from '../template.ts';
import { TRANSFORMS, type StepMaterial } from '../transforms.ts';
import type { FieldVisit, LeafVisit } from './field-walk.ts';
import { constantObjection, tableObjection } from './given-values.ts';
import type { MappingDocument } from './mapping-schema.ts';

/** What is wrong with one alternative of a field that holds one value. */
export function valueProblems(visit: LeafVisit): readonly Problem[] {
  const { path, shape, spec } = visit;
  if (spec.constant !== undefined)
    return unfit(constantObjection(spec.constant, shape), [...path, 'constant']);
  const material = materialOf(visit);
  const needs = TRANSFORMS.filter(({ kinds }) => kinds.includes(shape.facts.kind))
    .flatMap((transform) => transform.needs?.(material) ?? [])
    .map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
  const pieces = spec.template === undefined ? [] : templatePieces(spec.template);
  return [
    ...needs,
    ...givenByTable(spec).flatMap(({ text, key }) =>
      unfit(tableObjection(text, shape, material), [...path, ...key]),
    ),
    ...(typeof pieces === 'string'
      ? [failure('mapping_value_invalid', [...path, 'template'], { expected: pieces })]
      : []),
  ];
}

function unfit(reason: string | undefined, path: FieldVisit['path']): readonly Problem[] {
  return reason === undefined ? [] : [failure('mapping_value_unfit', path, { reason })];
}

/** What the steps of a field are made from, but for the tables. */
export function materialOf({ shape: { facts }, spec, source }: LeafVisit): Omit<StepMaterial, 'tables'> {
  const isFixedWidth = source.fixed !== undefined;
  return { spec: stepSpecOf(source, spec, facts.kind), facts, isFixedWidth };
}

/** What a lookup in the mapping file itself, or its `otherwise`, puts in the place of texts. */
function givenByTable({ lookup, otherwise }: LeafVisit['spec']): readonly {
  readonly text: string;
  readonly key: FieldVisit['path'];
}[] {
  if (lookup === undefined) return [];
  const table = isLookupFile(lookup) ? {} : lookup;
  return [
    ...Object.entries(table).map(([from, text]) => ({ text, key: ['lookup', from] })),
    ...(otherwise === undefined || ['error', 'keep'].includes(otherwise)
      ? []
      : [{ text: otherwise, key: ['otherwise'] }]),
  ];
}

/** What is wrong with a sum: rows are added up for a record that has several, and of the columns of these rows. */
export function sumProblems(
  { path, spec: { sum, column, debit } }: FieldVisit,
  { continuation }: MappingDocument,
): readonly Problem[] {
  if (!sum) return [];
  const at = [...path, 'sum'];
  const around = ['rows', 'join'].find((key) => path.includes(key));
  if (around !== undefined) return [failure('mapping_keys_conflict', at, { key: 'sum', other: around })];
  const needs = (needed: string): Problem => failure('mapping_needs', at, { needed });
  return [
    ...(column === undefined && debit === undefined
      ? [needs('`column`, or `debit` with `credit`, beside it')]
      : []),
    ...(continuation ? [] : [needs('`continuation`, which says what rows are one record')]),
  ];
}
