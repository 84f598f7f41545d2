import type { BatchLimits, PlannableRecord, PlannedBatch } from './ports/batch.ts';

/**
 * Cuts records, given in the order of accounts and then of the file, into batches. A batch is closed when the next
 * record is of another account or would break a limit; a record that breaks the byte limit by itself travels alone.
 */
export function* planBatches(
  records: Iterable<Pick<PlannableRecord, 'accountId' | 'seq' | 'bytes'>>,
  limits: BatchLimits,
): Generator<PlannedBatch> {
  let open: { batch: PlannedBatch; bytes: number } | undefined;
  for (const { accountId, seq, bytes } of records) {
    const fits =
      open !== undefined &&
      open.batch.accountId === accountId &&
      open.batch.records < limits.records &&
      open.bytes + bytes <= limits.bytes;
    if (open && fits) {
      open = {
        batch: { ...open.batch, lastSeq: seq, records: open.batch.records + 1 },
        bytes: open.bytes + bytes,
      };
    } else {
      if (open) yield open.batch;
      open = { batch: { accountId, firstSeq: seq, lastSeq: seq, records: 1 }, bytes };
    }
  }
  if (open) yield open.batch;
}
