import { failure } from '../../../core/problem.ts';
import { compareDecimals, Decimal } from '../../../core/values/decimal.ts';
import { Pattern } from '../../../core/values/pattern.ts';
import type { ConditionSpec } from '../language/conditions.ts';
import { exampleOf, numberReader } from '../language/number-format.ts';
import { stepSpecOf } from '../language/source.ts';
import { fieldValue, readColumn, type Level } from './level.ts';
import { report, type Scope } from './scope.ts';
import type { BoundColumn } from './columns.ts';

/** Whether something holds in a scope. A cell that cannot be read is reported, and the condition does not hold. */
export type Predicate = (scope: Scope) => boolean;

/** All conditions of a list together; undefined when there are none. */
export function allOf(specs: readonly ConditionSpec[] | undefined, level: Level): Predicate | undefined {
  const predicates = specs?.map((spec) => predicateOf(spec, level));
  return predicates && ((scope) => predicates.every((holds) => holds(scope)));
}

function predicateOf(spec: ConditionSpec, level: Level): Predicate {
  if (spec.field !== undefined) {
    const read = fieldValue(level, spec.field);
    const test = valueTest(spec);
    return (scope) => test(read(scope));
  }
  const { column, read } = readColumn(level, spec.column!);
  const signs = signTest(spec, level, column);
  if (signs) return (scope) => signs(read(scope.cells), scope);
  const test = valueTest(spec);
  return (scope) => test(read(scope.cells));
}

type ValueTest = (value: unknown) => boolean;

function valueTest({ in: wanted, not_in: unwanted, is, matches }: ConditionSpec): ValueTest {
  if (wanted) return isAmong(wanted);
  if (unwanted) {
    const isUnwanted = isAmong(unwanted);
    return (value) => !isUnwanted(value);
  }
  if (matches !== undefined) {
    const pattern = new Pattern(matches);
    return (value) => isScalar(value) && pattern.test(value.toString());
  }
  if (is === 'empty') return (value) => value === undefined;
  if (is === 'present') return (value) => value !== undefined;
  return (value) => value instanceof Decimal && hasSign(value, is!);
}

/** Amounts are compared as numbers, so that `0` is `0.00`; everything else as text. No value is the empty text. */
function isAmong(texts: readonly string[]): ValueTest {
  const set = new Set(texts);
  const decimals = texts.flatMap((text) => Decimal.parse(text) ?? []);
  return (value = '') =>
    value instanceof Decimal
      ? decimals.some((decimal) => compareDecimals(decimal, value) === 0)
      : isScalar(value) && set.has(value.toString());
}

/** A list is not among any texts and matches no pattern. */
function isScalar(value: unknown): value is string | boolean | Decimal {
  return typeof value === 'string' || typeof value === 'boolean' || value instanceof Decimal;
}

function hasSign(value: Decimal, wanted: NonNullable<ConditionSpec['is']>): boolean {
  if (value.isZero) return wanted === 'zero';
  return wanted === 'nonzero' || wanted === (value.isNegative ? 'negative' : 'positive');
}

/** Tests the sign of the number that the number format of the source finds in a cell; undefined for other conditions. */
function signTest(
  { is }: ConditionSpec,
  { source }: Level,
  column: BoundColumn,
): ((text: string | undefined, scope: Scope) => boolean) | undefined {
  if (is === undefined || is === 'empty' || is === 'present') return undefined;
  const format = stepSpecOf(source);
  const read = numberReader(format);
  return (text, scope) => {
    if (text === undefined) return false;
    const value = read(text);
    if (value) return hasSign(value, is);
    report(scope, [], column, failure('number_unreadable', [], { example: exampleOf(format) }));
    return false;
  };
}
