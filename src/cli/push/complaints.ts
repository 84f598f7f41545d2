import { RESOURCE_WIRE, type Resource } from '../../core/contract/resources.ts';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import { attrOfPath, type Path } from '../../core/problem.ts';
import type { DecodedError, PlatformProblem } from '../../core/validation-error.ts';
import { fieldOfName } from '../mapping/language/fields.ts';
import type { Batch } from './ports/batch.ts';
import type { PlatformComplaint } from './reading.ts';

/**
 * Ties what an error body names to the records of the batch: by the index in `attr`, by the id of the failing
 * transaction, or because the batch has one record. A body that names nothing gives one complaint about the request.
 */
export function complaintsOf(
  resource: Resource,
  batch: Batch,
  error: DecodedError,
  status: number,
): readonly PlatformComplaint[] {
  const problems: readonly PlatformProblem[] =
    error.problems.length > 0 ? error.problems : [{ code: 'refused_without_reason', path: [], detail: '' }];
  return problems.map((problem) => ({ ...complaintOf(resource, batch, problem, status === 400), status }));
}

/** The shape that this stands for names the transaction that failed, unless it leaves its id out. */
const OF_ONE = 'transaction_import_error' satisfies ErrorCode;

/**
 * Whether words alone refuse several records, which may be about any of them: some platforms answer so (deployments.md,
 * "Responses").
 */
export function isOfOneUnnamed({ records }: Batch, complaints: readonly PlatformComplaint[]): boolean {
  return (
    records.length > 1 &&
    complaints.every(
      ({ seq, attr, problem: { code }, status }) =>
        seq === null && attr === null && status === 400 && (code === null || code === OF_ONE),
    )
  );
}

/**
 * The field that the words begin with, as in `product_code: the platform has no such product`: the shape of these errors
 * has no other place for it. It decides where the problem is shown, and nothing else.
 */
function fieldNamedBy(resource: Resource, words: string): Path | undefined {
  const name = /^([a-z_]+(?:\.[a-z0-9_]+)*):/.exec(words)?.[1];
  return name === undefined ? undefined : fieldOfName(resource, name)?.path;
}

function complaintOf(
  resource: Resource,
  batch: Batch,
  problem: PlatformProblem,
  aboutInput: boolean,
): Omit<PlatformComplaint, 'status'> {
  const { list } = RESOURCE_WIRE[resource];
  if (problem.transactionId !== undefined) {
    const at = batch.records.findIndex(({ id }) => id === problem.transactionId);
    const path = fieldNamedBy(resource, problem.detail) ?? ['transaction_id'];
    const attr = at < 0 || list === null ? null : attrOfPath([list, at, ...path]);
    return { seq: batch.records[at]?.seq ?? null, attr, problem: { ...problem, path } };
  }
  const attr = problem.path.length === 0 ? null : attrOfPath(problem.path);
  const [first, index, ...inner] = problem.path as readonly (string | number | undefined)[];
  if (list !== null && first === list && typeof index === 'number' && batch.records[index]) {
    return { seq: batch.records[index].seq, attr, problem: { ...problem, path: inner as Path } };
  }
  // A single record is to blame for what is wrong with its request, but not for a missing account or a wrong key.
  return { seq: list === null && aboutInput ? batch.records[0]!.seq : null, attr, problem };
}
