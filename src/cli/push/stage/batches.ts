import type { BatchLimits, PlannableRecord, PlannedBatch, StagingRun } from '../ports/staging.ts';

/** Records that are planned at once, so that memory stays bounded. */
const PAGE = 10_000;

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

/** Plans all records of a staged run. Returns how many there are. */
export function planRun(run: StagingRun, limits: BatchLimits): number {
  let records = 0;
  for (const batch of planBatches(everyPlannable(run), limits)) {
    run.appendBatch(batch);
    records += batch.records;
  }
  return records;
}

/** Every valid record, page by page. */
function* everyPlannable(run: Pick<StagingRun, 'plannable'>): Generator<PlannableRecord> {
  let page = run.plannable(undefined, PAGE);
  while (page.length > 0) {
    yield* page;
    page = run.plannable(page.at(-1), PAGE);
  }
}
