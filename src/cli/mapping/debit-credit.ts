import { failure, type Path } from '../../core/problem.ts';
import type { Decimal } from '../../core/values/decimal.ts';
import { negated } from '../../core/values/decimal-shift.ts';
import { textReader } from './cell-text.ts';
import { rowSum } from './row-sums.ts';
import { report, type BoundColumn, type Scope } from './scope.ts';
import { UNREADABLE, type CompiledField, type FieldSteps, type ReadText } from './compiled-field.ts';

interface TwoColumns {
  readonly debit: BoundColumn;
  readonly credit: BoundColumn;
}

/**
 * An amount whose sign is told by the column it stands in: debit minus credit. Exactly one of the two cells holds it;
 * a zero beside a value is no value.
 */
export function amountOfTwo(columns: TwoColumns, path: Path, steps: FieldSteps): CompiledField {
  const { debit, credit } = columns;
  const { readers, amount } = oneOfTwo(columns, path, steps);
  const [finishDebit, finishCredit] = [steps.runAmount(path, debit), steps.runAmount(path, credit)];
  const make = (scope: Scope): unknown => {
    const found = amount(scope);
    if (found === UNREADABLE) return UNREADABLE;
    if (found === undefined) {
      report(scope, path, debit, failure('debit_credit_none', [], { other: credit.header }));
      return UNREADABLE;
    }
    const { column, value } = found;
    return column === debit ? finishDebit(value, scope) : finishCredit(value, scope);
  };
  return { make, readers };
}

/** The sum of such amounts over the rows of a record, of which some may have neither cell. */
export function sumOfTwo(columns: TwoColumns, path: Path, steps: FieldSteps): CompiledField {
  const { readers, amount } = oneOfTwo(columns, path, steps);
  return rowSum({
    readers,
    finish: steps.runAmount(path, columns.debit),
    amount(scope) {
      const found = amount(scope);
      return found === UNREADABLE ? found : found?.value;
    },
  });
}

interface FoundAmount {
  readonly column: BoundColumn;
  readonly value: Decimal;
}

/** The amount that one of the two cells holds, a credit with the other sign; undefined when neither does. */
function oneOfTwo(
  { debit, credit }: TwoColumns,
  path: Path,
  steps: FieldSteps,
): {
  readonly readers: readonly [ReadText, ReadText];
  readonly amount: (scope: Scope) => FoundAmount | typeof UNREADABLE | undefined;
} {
  const readers = [textReader(debit, steps.spec), textReader(credit, steps.spec)] as const;
  const [readDebit, readCredit] = [steps.runToNumber(path, debit), steps.runToNumber(path, credit)];
  return {
    readers,
    amount(scope) {
      const debited = readDebit(readers[0](scope), scope);
      const credited = readCredit(readers[1](scope), scope);
      if (debited === UNREADABLE || credited === UNREADABLE) return UNREADABLE;
      const [one, other] = [debited as Decimal | undefined, credited as Decimal | undefined];
      if (one !== undefined && (other === undefined || other.isZero)) return { column: debit, value: one };
      if (other === undefined) return undefined;
      if (one === undefined || one.isZero) return { column: credit, value: negated(other) };
      report(scope, path, credit, failure('debit_credit_both', [], { other: debit.header }));
      return UNREADABLE;
    },
  };
}
