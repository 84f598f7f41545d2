import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import { failure, type Problem } from '../../core/problem.ts';

/** A problem for each record with the id of an earlier record (deployments.md, "Rules named by deployments"; bad-inputs.md S45). */
export function repeatedIds(resource: Resource, candidates: readonly unknown[]): readonly Problem[] {
  const { list, repetition } = DESCRIPTORS[resource];
  const seen = new Set<string>();
  return candidates.flatMap((candidate, index) => {
    const id = (candidate as Readonly<Record<string, unknown>> | null)?.[repetition.field];
    // Only a text is an id.
    if (typeof id !== 'string') return [];
    if (seen.has(id)) return [failure(repetition.code, [list!, index, repetition.field])];
    seen.add(id);
    return [];
  });
}

/** With the rule `missing_transaction_id` a missing id is a problem of the request, not of one transaction. */
export function missingTransactionIds(candidates: readonly unknown[]): readonly Problem[] {
  return candidates.flatMap((candidate, index) =>
    typeof candidate === 'object' && candidate !== null && !Object.hasOwn(candidate, 'transaction_id')
      ? [failure('missing_transaction_id', ['transactions', index, 'transaction_id'])]
      : [],
  );
}
