import { sentenceOf } from '../../../core/error-codes/sentence.ts';
import { failure, type Problem } from '../../../core/problem.ts';
import { problemsOfIssues } from '../../../core/rules/schema-problems.ts';
import { suggestion } from '../../suggestion.ts';
import { constantValue } from '../constant.ts';
import { orderByNeeds } from '../field-order.ts';
import type { LeafShape, ObjectShape } from '../field-shape.ts';
import { isLookupFile } from '../lookup.ts';
import { stepSpecOf } from '../source-settings.ts';
import { templatePieces } from '../template.ts';
import { TRANSFORMS } from '../transforms.ts';
import {
  alternativesOf,
  conditionsOf,
  isLeaf,
  itemsOf,
  neededFields,
  type FieldVisit,
} from './field-walk.ts';
import type { MappingDocument } from './mapping-schema.ts';

type LeafVisit = FieldVisit & { readonly shape: LeafShape };

/** What is wrong with one alternative of a field, beyond what its keys say by themselves. */
export function fieldProblems(visit: FieldVisit, document: MappingDocument): readonly Problem[] {
  return [
    ...(isLeaf(visit) ? leafProblems(visit) : listProblems(visit, document)),
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

function leafProblems({ path, shape: { facts, schema }, spec, source }: LeafVisit): readonly Problem[] {
  const unfit = (value: unknown, key: string): readonly Problem[] => {
    const parsed = schema.safeParse(value);
    const [problem] = parsed.success ? [] : problemsOfIssues(parsed.error.issues, value);
    if (!problem) return [];
    const known = problem.facts['known'] === undefined ? '' : `: ${problem.facts['known']}`;
    const reason = sentenceOf(problem.code, problem.facts) + known;
    return [failure('mapping_value_unfit', [...path, key], { reason })];
  };
  if (spec.constant !== undefined) return unfit(constantValue(spec.constant, facts), 'constant');
  const material = {
    spec: stepSpecOf(source, spec, facts.kind),
    facts,
    isFixedWidth: source.fixed !== undefined,
  };
  const needs = TRANSFORMS.filter(({ kinds }) => kinds.includes(facts.kind))
    .flatMap((transform) => transform.needs?.(material) ?? [])
    .map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
  // Of other kinds what the table gives is read by the next steps.
  const isText = facts.kind === 'text' && spec.lookup !== undefined;
  const table = isText && !isLookupFile(spec.lookup!) ? spec.lookup! : {};
  const given = [
    ...Object.values(table as Record<string, string>).map((value) => [value, 'lookup'] as const),
    ...(isText && !['error', 'keep', undefined].includes(spec.otherwise)
      ? [[spec.otherwise, 'otherwise'] as const]
      : []),
  ];
  const pieces = spec.template === undefined ? [] : templatePieces(spec.template);
  return [
    ...needs,
    ...given.flatMap(([value, key]) => unfit(value, key)).slice(0, 1),
    ...(typeof pieces === 'string'
      ? [failure('mapping_value_invalid', [...path, 'template'], { expected: pieces })]
      : []),
  ];
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
