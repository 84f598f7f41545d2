import type { BatchLimits, PlannableRecord, PlannedBatch, StagingRun } from '../ports/staging.ts';

/** Records that are read at once, so that memory stays bounded. */
export const PAGE = 10_000;

/** All of what is read page by page, each page after the last one before it. */
export function* pageByPage<T>(read: (last: T | undefined) => readonly T[]): Generator<T> {
  for (let page = read(undefined); page.length > 0; page = read(page.at(-1))) yield* page;
}

/**
 * Cuts records, given in the order of accounts and then of the file, into batches. A batch ends when the next record
 * belongs to another account or would exceed a limit. A record that exceeds the byte limit by itself travels alone.
 */
export function* planBatches(
  records: Iterable<PlannableRecord>,
  limits: BatchLimits,
): Generator<PlannedBatch> {
  let open: { readonly batch: { -readonly [K in keyof PlannedBatch]: number }; bytes: number } | undefined;
  for (const { accountId, seq, bytes } of records) {
    if (
      open?.batch.accountId === accountId &&
      open.batch.records < limits.records &&
      open.bytes + bytes <= limits.bytes
    ) {
      open.batch.lastSeq = seq;
      open.batch.records++;
      open.bytes += bytes;
    } else {
      if (open) yield open.batch;
      open = { batch: { accountId, firstSeq: seq, lastSeq: seq, records: 1 }, bytes };
    }
  }
  if (open) yield open.batch;
}

/** Plans all records of a staged run. */
export function planRun(run: StagingRun, limits: BatchLimits): void {
  const all = pageByPage<PlannableRecord>((last) => run.plannable(last, PAGE));
  for (const batch of planBatches(all, limits)) run.appendBatch(batch);
}
