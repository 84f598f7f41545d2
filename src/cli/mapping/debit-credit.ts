import { failure, type Path } from '../../core/problem.ts';
import type { Decimal } from '../../core/values/decimal.ts';
import { negated } from '../../core/values/decimal-shift.ts';
import { cellText } from './cell-text.ts';
import { report, type BoundColumn, type Scope } from './scope.ts';
import { UNREADABLE, type CompiledField, type FieldSteps } from './compiled-field.ts';

/**
 * An amount whose sign is told by the column it stands in: debit minus credit. Exactly one of the two cells holds it;
 * a zero beside a value is no value.
 */
export function amountOfTwo(
  { debit, credit }: { readonly debit: BoundColumn; readonly credit: BoundColumn },
  path: Path,
  steps: FieldSteps,
): CompiledField {
  const readers = [cellText(debit, steps.spec), cellText(credit, steps.spec)] as const;
  const [readDebit, readCredit] = [steps.runToNumber(path, debit), steps.runToNumber(path, credit)];
  const [finishDebit, finishCredit] = [steps.runAmount(path, debit), steps.runAmount(path, credit)];
  const make = (scope: Scope): unknown => {
    const debited = readDebit(readers[0](scope.cells), scope);
    const credited = readCredit(readers[1](scope.cells), scope);
    if (debited === UNREADABLE || credited === UNREADABLE) return UNREADABLE;
    const [one, other] = [debited as Decimal | undefined, credited as Decimal | undefined];
    if (one === undefined && other === undefined) {
      report(scope, path, debit, failure('debit_credit_none', [], { other: credit.header }));
      return UNREADABLE;
    }
    if (other === undefined || (other.isZero && one !== undefined)) return finishDebit(one!, scope);
    if (one === undefined || one.isZero) return finishCredit(negated(other), scope);
    report(scope, path, credit, failure('debit_credit_both', [], { other: debit.header }));
    return UNREADABLE;
  };
  return { make, readers };
}
