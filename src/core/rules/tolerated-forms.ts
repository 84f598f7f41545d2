import type * as z from 'zod/mini';
import { failure, type Path, type Problem } from '../problem.ts';
import { Decimal, isExactAsFloat } from '../values/decimal.ts';
import { leafChecks } from './leaf-checks.ts';

/** Forms of values that the interface does not show, and that many platforms take. */
export const TOLERATED_FORMS = ['amount_as_text', 'other_offset'] as const;
export type ToleratedForm = (typeof TOLERATED_FORMS)[number];

/** A value in a form that is taken although the interface does not show it. */
export interface ToleratedValue {
  readonly form: ToleratedForm;
  readonly path: Path;
}

/**
 * The values of an accepted record in another form than the interface shows: a decimal as text (interface.md 2.4), and a date-time
 * with another offset than `Z` (interface.md 2.1). A text is the only form of a decimal that a float does not keep.
 * @param record as it was sent
 */
export function toleratedValues(schema: z.ZodMiniType, record: unknown): readonly ToleratedValue[] {
  return checkForms(schema, record, undefined);
}

const NONE: readonly ToleratedValue[] = [];

const checkForms = leafChecks<ToleratedValue, undefined>(({ kind, wire }) => {
  if (kind === 'datetime')
    return (value, path) =>
      typeof value === 'string' && !value.endsWith('Z') ? [{ form: 'other_offset', path }] : NONE;
  // The contract of an operator may ask for texts.
  if (kind !== 'decimal' || wire === 'string') return null;
  return (value, path) => {
    if (typeof value !== 'string') return NONE;
    const decimal = Decimal.parse(value);
    return decimal && isExactAsFloat(decimal) ? [{ form: 'amount_as_text', path }] : NONE;
  };
});

/** The problem of such a value on a platform that takes only what the interface shows. */
export function untolerated({ form, path }: ToleratedValue): Problem {
  const expected =
    form === 'amount_as_text'
      ? 'a number (interface.md 2.4)'
      : 'a date-time in UTC, such as 2026-01-31T09:30:00Z';
  return failure('invalid', path, { expected });
}
