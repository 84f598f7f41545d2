import { warning } from '../../../core/problem.ts';
import type { FieldVisit } from '../language/field-visits.ts';
import { visitFields } from '../language/field-visits.ts';
import type { Mapping } from '../language/mapping.ts';
import { NUMBER_KEYS } from '../language/steps.ts';
import type { CellProblem } from '../mapping-plan.ts';

/** Keys that say how the numbers of a column are written. `negate` and the digits of a currency depend on the row. */
const KEYS = [...Object.keys(NUMBER_KEYS), 'unit'] as const;

/** Alternatives of a field that read the same column, and of which only some say how its numbers are written. */
export function* unevenAlternatives({ document, positionOf }: Mapping): Generator<CellProblem> {
  const visits = [...visitFields(document)].filter(({ path }) => typeof path.at(-1) === 'number');
  // A condition on the amount itself says that its cells are written in several ways.
  const isTested = ({ spec: { column, when = [] } }: FieldVisit): boolean =>
    column !== undefined && when.some((condition) => condition.column === column);
  for (const same of Map.groupBy(visits, columnsOf).values()) {
    if (same.some(isTested)) continue;
    for (const key of KEYS) {
      const without = same.filter(
        ({ spec }) => (spec as Readonly<Record<string, unknown>>)[key] === undefined,
      );
      if (without.length === 0 || without.length === same.length) continue;
      const { file, line, column } = positionOf(without[0]!.path);
      const facts = { key, count: same.length - without.length, total: same.length };
      yield {
        problem: warning('mapping_alternatives_differ', without[0]!.path, facts),
        cell: { file, line, column, header: null },
      };
    }
  }
}

function columnsOf({ path, spec: { column, debit, credit, template, constant } }: FieldVisit): string {
  const field = path.slice(0, -1);
  // A constant is written as the interface writes values.
  return JSON.stringify(constant === undefined ? [field, column, debit, credit, template] : [path]);
}
