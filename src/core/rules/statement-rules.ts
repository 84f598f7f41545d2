import type { Statement } from '../contract/statement.ts';
import { failure, type Problem } from '../problem.ts';
import { statementDocumentBelowRoot, statementDocumentIsPdf } from './document-rules.ts';
import type { RecordRule } from './rule.ts';

/** bad-inputs.md S46. */
function billPeriodInOrder(statement: Statement): readonly Problem[] {
  return statement.bill_period_from_date > statement.bill_period_to_date
    ? [failure('bill_period_from_later_than_to', ['bill_period_from_date'])]
    : [];
}

export const STATEMENT_RULES: readonly RecordRule<Statement>[] = [
  billPeriodInOrder,
  statementDocumentBelowRoot,
  statementDocumentIsPdf,
];
