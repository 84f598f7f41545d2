import type { Statement } from '../contract/statement.ts';
import { failure } from '../problem.ts';
import { rule, type RecordRule } from './rule.ts';

const billPeriodInOrder: RecordRule<Statement> = rule(
  {
    name: 'statement-bill-period-in-order',
    authority: 'chosen',
    source: 'bad-inputs.md S46',
    says: 'bill_period_from_date does not lie after bill_period_to_date.',
    tested: 'core/rules/record-rules › a statement from %s to %s: %s',
    codes: ['bill_period_from_later_than_to'],
  },
  (statement: Statement) =>
    statement.bill_period_from_date > statement.bill_period_to_date
      ? [failure('bill_period_from_later_than_to', ['bill_period_from_date'])]
      : [],
);

export const STATEMENT_RULES: readonly RecordRule<Statement>[] = [billPeriodInOrder];
