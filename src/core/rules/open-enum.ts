import type * as z from 'zod/mini';
import { failure, warning, type Problem } from '../problem.ts';
import { leafChecks, pathOf } from './leaf-checks.ts';
import type { EnumJudge } from './rule.ts';

/**
 * Warns of values that the interface does not show, at any depth of the record. A judge may decide otherwise
 * (deployments.md, "Shapes and bounds").
 */
export function undocumentedValues(
  schema: z.ZodMiniType,
  value: unknown,
  judge: EnumJudge = byInterface,
): readonly Problem[] {
  return checkEnums(schema, value, judge);
}

const NONE: readonly Problem[] = [];

/** The default judge knows the values of the interface. */
const byInterface: EnumJudge = (_field, _value, isShown) => (isShown ? 'known' : 'undocumented');

const checkEnums = leafChecks<Problem, EnumJudge>(({ known }) => {
  if (!known) return null;
  return (value, place, judge) => {
    if (value === '') return NONE;
    const verdict = judge(place.part as string, value as string, known.includes(value as string));
    if (verdict === 'known') return NONE;
    const path = pathOf(place);
    return verdict === 'refused'
      ? [failure('invalid_choice', path, { known: known.join(', ') })]
      : [warning('undocumented_value', path, { known: known.join(', ') })];
  };
});
