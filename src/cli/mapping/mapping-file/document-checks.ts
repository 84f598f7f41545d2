import type { Problem } from '../../../core/problem.ts';
import { orderByNeeds } from '../field-order.ts';
import { recordShape } from '../field-shape.ts';
import { cycleProblem, fieldProblems, missingFields, unknownField, unreachable } from './field-checks.ts';
import type { FieldSpec } from './field-schema.ts';
import { conditionsOf, visitFields, type FieldVisit } from './field-walk.ts';
import type { MappingDocument } from './mapping-schema.ts';
import { sourceProblems } from './source-checks.ts';

/** What is wrong with a mapping whose keys are all right by themselves: what they say together. */
export function documentChecks(document: MappingDocument): readonly Problem[] {
  const { resource, source = {}, fields, filter = [] } = document;
  const shape = recordShape(resource);
  const visits = [...visitFields(fields, shape, { path: ['fields'], source, names: [] })];
  // Who migrates gives the supplier on the command line as often as in the file.
  const present = [...Object.keys(fields), 'import_supplier'];
  return [
    ...sourceProblems(source, ['source']),
    ...missingFields(present, shape, ['fields']),
    ...visits.flatMap((visit) => fieldProblems(visit, document)),
    ...visits.flatMap(({ spec: { join }, path }) =>
      join?.source ? sourceProblems(join.source, [...path, 'join', 'source']) : [],
    ),
    ...Object.entries(fields).flatMap(([name, spec]) => unreachable(spec, ['fields', name])),
    ...filter.flatMap((conditions, at) =>
      conditions.flatMap(({ field }, index) =>
        unknownField(field, Object.keys(fields)).map((problem) => ({
          ...problem,
          path: ['filter', at, index, 'field'],
        })),
      ),
    ),
    ...circles(fields, visits),
  ];
}

/** Fields of the record whose conditions, and those of their items, wait for each other. */
function circles(
  fields: Readonly<Record<string, FieldSpec>>,
  visits: readonly FieldVisit[],
): readonly Problem[] {
  const needsOf = (name: string): readonly string[] =>
    visits
      .filter(({ path }) => path[1] === name)
      .flatMap((visit) => conditionsOf(visit).flatMap(({ condition }) => condition.field ?? []));
  const { circle } = orderByNeeds(Object.keys(fields), needsOf);
  return circle.length === 0 ? [] : [cycleProblem(circle, ['fields'])];
}
