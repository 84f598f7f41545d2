import { failure, type Problem } from '../../core/problem.ts';

/** deployments.md, "Rules named by deployments". */
export function repeatedTransactionIds(candidates: readonly unknown[]): readonly Problem[] {
  return repetitionsOf(candidates, 'transaction_id').map((index) =>
    failure('duplicate_transaction_ids', ['transactions', index, 'transaction_id']),
  );
}

/** With the rule `missing_transaction_id` a missing id is a problem of the request, not of one transaction. */
export function missingTransactionIds(candidates: readonly unknown[]): readonly Problem[] {
  return candidates.flatMap((candidate, index) =>
    typeof candidate === 'object' && candidate !== null && !Object.hasOwn(candidate, 'transaction_id')
      ? [failure('missing_transaction_id', ['transactions', index, 'transaction_id'])]
      : [],
  );
}

/** bad-inputs.md S45. */
export function repeatedStatementIds(candidates: readonly unknown[]): readonly Problem[] {
  return repetitionsOf(candidates, 'statement_id').map((index) =>
    failure('duplicate_statement_ids', ['statements', index, 'statement_id']),
  );
}

/** Indexes of the records with the id of an earlier record. Only a text is an id. */
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
