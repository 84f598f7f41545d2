import { failure, type Problem } from '../../../core/problem.ts';
import { suggestion } from '../../../core/suggestion.ts';
import { orderByNeeds } from '../field-order.ts';
import type { ObjectShape } from '../field-shape.ts';
import {
  alternativesOf,
  conditionsOf,
  isLeaf,
  itemsOf,
  neededFields,
  type FieldVisit,
} from './field-walk.ts';
import type { MappingDocument } from './mapping-schema.ts';
import { sumProblems, valueProblems } from './value-checks.ts';

/** What is wrong with one alternative of a field, beyond what its keys say by themselves. */
export function fieldProblems(visit: FieldVisit, document: MappingDocument): readonly Problem[] {
  return [
    ...(isLeaf(visit) ? valueProblems(visit) : listProblems(visit, document)),
    ...sumProblems(visit, document),
    ...conditionsOf(visit).flatMap(({ condition, path }) =>
      unknownField(condition.field, visit.names).map((problem) => ({ ...problem, path: [...path, 'field'] })),
    ),
  ];
}

/** A condition on a field that no mapping fills would never hold. */
export function unknownField(field: string | undefined, names: readonly string[]): readonly Problem[] {
  return field === undefined || names.includes(field)
    ? []
    : [failure('mapping_field_unknown', [], { field, suggestion: suggestion(field, names) })];
}

function listProblems(
  { path, shape, spec, source }: FieldVisit,
  { continuation }: MappingDocument,
): readonly Problem[] {
  const problems: Problem[] = [];
  const { repeat, rows, join } = spec;
  if (rows && !continuation)
    problems.push(
      failure('mapping_needs', [...path, 'rows'], {
        needed: '`continuation`, which says what rows are one record',
      }),
    );
  if (repeat && repeat.from > repeat.to)
    problems.push(
      failure('mapping_value_invalid', [...path, 'repeat'], {
        expected: 'numbers of which `to` is not the smaller',
      }),
    );
  if (join && Object.keys(join.key).length === 0)
    problems.push(
      failure('mapping_value_invalid', [...path, 'join', 'key'], {
        expected: 'at least one pair of columns',
      }),
    );
  if (shape.kind === 'list' && shape.item.kind === 'object') {
    for (const item of itemsOf(spec, { path, source })) {
      const fields = item.spec as MappingDocument['fields'];
      problems.push(
        ...missingFields(Object.keys(fields), shape.item, item.path),
        ...circle(fields, item.path),
      );
    }
  }
  return problems;
}

/** Fields of one level whose conditions wait for each other. */
function circle(fields: MappingDocument['fields'], path: FieldVisit['path']): readonly Problem[] {
  const found = orderByNeeds(Object.keys(fields), (name) => neededFields(fields[name]!)).circle;
  return found.length === 0 ? [] : [cycleProblem(found, path)];
}

/** The problem of fields that wait for each other. */
export function cycleProblem(names: readonly string[], path: FieldVisit['path']): Problem {
  const fields = names.map((name) => `\`${name}\``).join(', ');
  return failure('mapping_cycle', [...path, names[0]!], { fields });
}

/** Fields without which no record, or no item, could be valid; all are told at once. */
export function missingFields(
  present: readonly string[],
  { fields }: ObjectShape,
  path: FieldVisit['path'],
): readonly Problem[] {
  const missing = Object.entries(fields).flatMap(([name, shape]) =>
    shape.isRequired && !present.includes(name) ? [`\`${name}\``] : [],
  );
  return missing.length === 0
    ? []
    : [failure('mapping_fields_missing', path, { fields: missing.join(', ') })];
}

/** Alternatives that come after one without a condition. */
export function unreachable(
  spec: MappingDocument['fields'][string],
  path: FieldVisit['path'],
): readonly Problem[] {
  if (!Array.isArray(spec)) return [];
  const alternatives = alternativesOf(spec);
  const rest = alternatives.findIndex(({ when }) => when === undefined);
  return rest < 0 || rest === alternatives.length - 1
    ? []
    : [failure('mapping_unreachable', [...path, rest + 1])];
}
