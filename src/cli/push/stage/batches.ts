import type { Resource } from '../../../core/contract/resources.ts';
import type {
  BatchLimits,
  PlannableRecord,
  PlannedBatch,
  PlannedRequest,
  StagingRun,
} from '../ports/staging.ts';
import { bodyOf } from '../request.ts';

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

/** The requests that draining a staged run would send. */
export interface RequestTotals {
  readonly requests: number;
  readonly accounts: number;
  readonly records: number;
  /** Bytes of the bodies of all requests. */
  readonly bytes: number;
  readonly largest: { readonly records: number; readonly bytes: number };
}

/** Adds up requests; the requests of an account follow one another. */
export function totalsOfRequests(resource: Resource, planned: Iterable<PlannedRequest>): RequestTotals {
  const totals = { requests: 0, accounts: 0, records: 0, bytes: 0, largest: { records: 0, bytes: 0 } };
  let lastAccount: string | undefined;
  for (const request of planned) {
    const bytes = bodyBytes(resource, request);
    const account = JSON.stringify([request.import_supplier, request.external_account_number]);
    if (account !== lastAccount) totals.accounts++;
    lastAccount = account;
    totals.requests++;
    totals.records += request.records;
    totals.bytes += bytes;
    if (bytes > totals.largest.bytes) totals.largest = { records: request.records, bytes };
  }
  return totals;
}

/** Bytes of the records, of the commas between them, and of everything around an empty record. */
function bodyBytes(resource: Resource, request: PlannedRequest): number {
  const around = Buffer.byteLength(bodyOf(resource, request, ['{}'])) - '{}'.length;
  return around + request.payloadBytes + request.records - 1;
}
