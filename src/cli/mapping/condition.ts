import { failure } from '../../core/problem.ts';
import { compareDecimals, Decimal } from '../../core/values/decimal.ts';
import type { FieldMaker } from './field-maker.ts';
import type { ConditionSpec } from './mapping-file/condition-schema.ts';
import { exampleOf, numberReader } from './number-format.ts';
import { numberFormatOf } from './number-step.ts';
import { report, type BoundColumn, type Scope } from './scope.ts';

/** Whether something holds in a scope. A cell that it cannot read is reported, and it does not hold. */
export type Predicate = (scope: Scope) => boolean;

/** All conditions of a list together; undefined when there are none. */
export function allOf(specs: readonly ConditionSpec[] | undefined, maker: FieldMaker): Predicate | undefined {
  if (specs === undefined) return undefined;
  const predicates = specs.map((spec) => predicateOf(spec, maker));
  return (scope) => predicates.every((holds) => holds(scope));
}

function predicateOf(spec: ConditionSpec, maker: FieldMaker): Predicate {
  if (spec.field !== undefined) {
    const valueOf = maker.valueOf(spec.field);
    const test = valueTest(spec);
    return (scope) => test(valueOf(scope));
  }
  const column = maker.bind(spec.column!);
  const cellOf = maker.cellOf(column);
  const signs = signTest(spec, maker, column);
  if (signs) return (scope) => signs(cellOf(scope.cells), scope);
  const test = valueTest(spec);
  return (scope) => test(cellOf(scope.cells));
}

type ValueTest = (value: unknown) => boolean;

function valueTest({ in: wanted, not_in: unwanted, is, matches }: ConditionSpec): ValueTest {
  if (wanted) return isAmong(wanted);
  if (unwanted) {
    const isUnwanted = isAmong(unwanted);
    return (value) => !isUnwanted(value);
  }
  if (matches !== undefined) {
    const pattern = new RegExp(matches, 'u');
    return (value) => isScalar(value) && pattern.test(value.toString());
  }
  if (is === 'empty') return (value) => value === undefined;
  if (is === 'present') return (value) => value !== undefined;
  return (value) => value instanceof Decimal && hasSign(value, is!);
}

/** Amounts are compared as numbers, so that `0` is `0.00`; everything else as text. */
function isAmong(texts: readonly string[]): ValueTest {
  const set = new Set(texts);
  const decimals = texts.flatMap((text) => Decimal.parse(text) ?? []);
  return (value) =>
    value instanceof Decimal
      ? decimals.some((decimal) => compareDecimals(decimal, value) === 0)
      : isScalar(value) && set.has(value.toString());
}

/** A list is neither one of some texts nor like a pattern. */
function isScalar(value: unknown): value is string | boolean | Decimal {
  return typeof value === 'string' || typeof value === 'boolean' || value instanceof Decimal;
}

function hasSign(value: Decimal, wanted: NonNullable<ConditionSpec['is']>): boolean {
  if (value.isZero || wanted === 'zero') return value.isZero && wanted === 'zero';
  return wanted === 'nonzero' || wanted === (value.isNegative ? 'negative' : 'positive');
}

/** The sign of a cell is that of the number which the number format of the source finds in it. */
function signTest(
  { is }: ConditionSpec,
  maker: FieldMaker,
  column: BoundColumn,
): ((text: string | undefined, scope: Scope) => boolean) | undefined {
  if (is === undefined || is === 'empty' || is === 'present') return undefined;
  const format = numberFormatOf(maker.sourceSteps);
  const read = numberReader(format);
  return (text, scope) => {
    if (text === undefined) return false;
    const value = read(text);
    if (value) return hasSign(value, is);
    report(scope, [], column, failure('number_unreadable', [], { example: exampleOf(format) }));
    return false;
  };
}
