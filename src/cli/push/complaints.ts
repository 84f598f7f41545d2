import { RESOURCE_WIRE, type Resource } from '../../core/contract/resources.ts';
import type { Path } from '../../core/problem.ts';
import type { DecodedError, PlatformProblem } from '../../core/validation-error.ts';
import type { Batch } from './ports/batch.ts';
import type { PlatformComplaint } from './reading.ts';

/**
 * Ties what an error body names to the records of the batch: by the index in `attr`, by the id of the failing
 * transaction, or because the batch has one record. A body that names nothing gives one complaint about the request.
 */
export function complaintsOf(resource: Resource, batch: Batch, error: DecodedError, status: number): readonly PlatformComplaint[] {
  const problems: readonly PlatformProblem[] =
    error.problems.length > 0 ? error.problems : [{ code: 'refused_without_reason', path: [], detail: '' }];
  return problems.map((problem) => ({ ...complaintOf(resource, batch, problem, status === 400), status }));
}

function complaintOf(
  resource: Resource,
  batch: Batch,
  problem: PlatformProblem,
  aboutInput: boolean,
): { seq: number | null; problem: PlatformProblem } {
  if (problem.transactionId !== undefined) {
    const record = batch.records.find(({ id }) => id === problem.transactionId);
    return { seq: record?.seq ?? null, problem: { ...problem, path: ['transaction_id'] } };
  }
  const { list } = RESOURCE_WIRE[resource];
  const [first, index, ...inner] = problem.path as readonly (string | number | undefined)[];
  if (list !== null && first === list && typeof index === 'number' && batch.records[index]) {
    return { seq: batch.records[index].seq, problem: { ...problem, path: inner as Path } };
  }
  // A single record is to blame for what is wrong with its request, but not for a missing account or a wrong key.
  return { seq: list === null && aboutInput ? batch.records[0]!.seq : null, problem };
}
