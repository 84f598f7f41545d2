import type { Mapping } from '../language/mapping.ts';
import type { CellProblem } from '../mapping-plan.ts';
import { mixedDateOrders } from './date-orders.ts';
import { unevenAlternatives } from './uneven-alternatives.ts';

/** Oddities of a mapping that do not depend on the file. */
export function* mappingWarnings(mapping: Mapping): Generator<CellProblem> {
  for (const { problem, ...place } of mapping.warnings) yield { problem, cell: { ...place, column: null } };
  yield* unevenAlternatives(mapping);
  yield* mixedDateOrders(mapping);
}
