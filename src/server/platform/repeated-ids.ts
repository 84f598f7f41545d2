import { failure, type Problem } from '../../core/problem.ts';
import { rule } from '../../core/rules/rule.ts';

export const repeatedTransactionIds = rule(
  {
    name: 'transaction-ids-unique-in-request',
    authority: 'observed',
    source: 'deployments.md, "Rules named by deployments"',
    says: 'A transaction_id occurs once in a request.',
    tested:
      'server/routes/transaction-faults › silent: an id that is repeated within a request is a fault of the request',
    codes: ['duplicate_transaction_ids'],
  },
  (candidates: readonly unknown[]): readonly Problem[] =>
    repetitionsOf(candidates, 'transaction_id').map((index) =>
      failure('duplicate_transaction_ids', ['transactions', index, 'transaction_id']),
    ),
);

export const missingTransactionIds = rule(
  {
    name: 'transaction-ids-in-request',
    authority: 'observed',
    source: 'deployments.md, "Rules named by deployments"',
    says: 'With --rule missing_transaction_id a transaction without transaction_id is a fault of the request as a whole; otherwise it is the fault `required` of that transaction.',
    tested:
      'server/platform/extra-rules › missing_transaction_id: a missing id is a fault of the request instead of a fault of one transaction',
    codes: ['missing_transaction_id'],
  },
  (candidates: readonly unknown[]): readonly Problem[] =>
    candidates.flatMap((candidate, index) =>
      typeof candidate === 'object' && candidate !== null && !Object.hasOwn(candidate, 'transaction_id')
        ? [failure('missing_transaction_id', ['transactions', index, 'transaction_id'])]
        : [],
    ),
);

export const repeatedStatementIds = rule(
  {
    name: 'statement-ids-unique-in-request',
    authority: 'chosen',
    source: 'bad-inputs.md S45',
    says: 'A statement_id occurs once in a request.',
    tested: 'server/routes/statements › silent: a statement id that is repeated within a request is refused',
    codes: ['duplicate_statement_ids'],
  },
  (candidates: readonly unknown[]): readonly Problem[] =>
    repetitionsOf(candidates, 'statement_id').map((index) =>
      failure('duplicate_statement_ids', ['statements', index, 'statement_id']),
    ),
);

/** Indexes of the records whose id an earlier record has; what is no text has no id. */
function repetitionsOf(candidates: readonly unknown[], field: string): readonly number[] {
  const seen = new Set<string>();
  return candidates.flatMap((candidate, index) => {
    const id = (candidate as Readonly<Record<string, unknown>> | null)?.[field];
    if (typeof id !== 'string') return [];
    if (seen.has(id)) return [index];
    seen.add(id);
    return [];
  });
}
