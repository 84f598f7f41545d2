import { failure } from '../../../core/problem.ts';
import { sum, type Decimal } from '../../../core/values/decimal.ts';
import { negated } from '../../../core/values/decimal-shift.ts';
import { UNREADABLE, type CompiledField, type MakeValue, type ReadText } from './compiled-field.ts';
import type { FieldSteps } from './field-steps.ts';
import { report, rowScopes, type Scope } from './scope.ts';
import type { BoundColumn } from './columns.ts';

/** The exact sum of a column over the rows of a record. */
export function sumOfColumn(column: BoundColumn, steps: FieldSteps): CompiledField {
  const read = steps.readText(column);
  const number = steps.runToNumber(column);
  return rowSum([read], (scope) => number(read(scope), scope), steps.runAmount(column));
}

type TwoColumns = { readonly debit: BoundColumn; readonly credit: BoundColumn };

/**
 * An amount whose column decides its sign: debit minus credit. Exactly one of the two cells has a value; a zero beside a value is no value.
 */
export function amountOfTwo(columns: TwoColumns, steps: FieldSteps): CompiledField {
  const { debit, credit } = columns;
  const { readers, amount } = oneOfTwo(columns, steps);
  const [finishDebit, finishCredit] = [steps.runAmount(debit), steps.runAmount(credit)];
  return {
    readers,
    make(scope) {
      const found = amount(scope);
      if (found === UNREADABLE) return UNREADABLE;
      if (found === undefined) {
        const reason = `has no value, and neither has the column \`${credit.header}\``;
        report(scope, steps.path, debit, failure('debit_credit_unclear', [], { reason }));
        return UNREADABLE;
      }
      return (found.column === debit ? finishDebit : finishCredit)(found.value, scope);
    },
  };
}

/** The exact sum of such amounts over the rows of a record. Rows without either cell are left out. */
export function sumOfTwo(columns: TwoColumns, steps: FieldSteps): CompiledField {
  const { readers, amount } = oneOfTwo(columns, steps);
  const value: MakeValue = (scope) => {
    const found = amount(scope);
    return found === UNREADABLE ? found : found?.value;
  };
  return rowSum(readers, value, steps.runAmount(columns.debit));
}

type FoundAmount = { readonly column: BoundColumn; readonly value: Decimal };

/** The amount of that one of the two cells which has a value, a credit with its sign turned; undefined when neither has one. */
function oneOfTwo(
  { debit, credit }: TwoColumns,
  steps: FieldSteps,
): {
  readers: readonly ReadText[];
  amount: (scope: Scope) => FoundAmount | typeof UNREADABLE | undefined;
} {
  const [debitText, creditText] = [steps.readText(debit), steps.readText(credit)];
  const [readDebit, readCredit] = [steps.runToNumber(debit), steps.runToNumber(credit)];
  return {
    readers: [debitText, creditText],
    amount(scope) {
      const debited = readDebit(debitText(scope), scope) as Decimal | typeof UNREADABLE | undefined;
      const credited = readCredit(creditText(scope), scope) as Decimal | typeof UNREADABLE | undefined;
      if (debited === UNREADABLE || credited === UNREADABLE) return UNREADABLE;
      if (debited && (!credited || credited.isZero)) return { column: debit, value: debited };
      if (!credited) return undefined;
      if (!debited || debited.isZero) return { column: credit, value: negated(credited) };
      const reason = `has a value, and so has the column \`${debit.header}\``;
      report(scope, steps.path, credit, failure('debit_credit_unclear', [], { reason }));
      return UNREADABLE;
    },
  };
}

/** The exact sum over the rows of a record; undefined when no row has a value. */
function rowSum(
  readers: readonly ReadText[],
  amount: MakeValue,
  finish: ReturnType<FieldSteps['runAmount']>,
): CompiledField {
  return {
    readers: readers.map((read) => (scope) => {
      for (const row of rowScopes(scope)) {
        const text = read(row);
        if (text !== undefined) return text;
      }
      return undefined;
    }),
    make(scope) {
      const amounts = rowScopes(scope).flatMap((row) => amount(row) ?? []);
      if (amounts.includes(UNREADABLE)) return UNREADABLE;
      return amounts.length === 0 ? undefined : finish(sum(amounts as Decimal[]), scope);
    },
  };
}
