import type { Batch } from './ports/batch.ts';
import type { RecordReading } from './ports/run.ts';
import type { PlatformComplaint, Reading } from './reading.ts';

export type Refusal = Extract<Reading, { kind: 'rejected' }>;

/**
 * How far a refusal reaches. `records`: those that it names, or the only one of the request. `account`: every record of
 * the account. `request`: some record of the request, and only smaller ones tell which. `run`: whatever is sent next, or
 * nothing tells that it is not so.
 */
export type RefusalReach = 'records' | 'account' | 'request' | 'run';

/** Every further request would fail (reliability.md, "Reading an answer"). */
const OF_THE_RUN = 'import_supplier_migration_not_ongoing';

/** Statuses that judge what was sent; others are about the address, the key or the platform. */
const OF_CONTENT: ReadonlySet<number> = new Set([400, 409, 413, 422]);

/** What all records of a request have in common. */
const ACCOUNT_FIELDS: ReadonlySet<string | number> = new Set(['import_supplier', 'external_account_number']);

/** How far a refusal reaches; what has no readable reason is taken for one of the whole run. */
export function reachOf(batch: Batch, { complaints }: Refusal, status: number): RefusalReach {
  if (complaints.some(({ problem }) => problem.code === OF_THE_RUN)) return 'run';
  // A record that failed inside an answer of success.
  if (status < 300) return 'records';
  if (complaints.every(({ problem }) => problem.code === 'refused_without_reason')) return 'run';
  if (complaints.some(isOfAccount)) return batch.unsure ? 'run' : 'account';
  if (!OF_CONTENT.has(status)) return 'run';
  if (batch.records.length === 1 || complaints.some(({ seq }) => seq !== null)) return 'records';
  return 'request';
}

/** An account that is not there is told with 404, in words alone or with a code (deployments.md, "Responses"). */
function isOfAccount({ problem, status }: PlatformComplaint): boolean {
  if (problem.code === 'account_not_found') return true;
  if (status === 404) return problem.code === null;
  return problem.path.length === 1 && ACCOUNT_FIELDS.has(problem.path[0]!);
}

/** What a refusal that reaches records settles, and the complaints about those. */
export function namedIn(batch: Batch, refusal: Refusal, status: number): Omit<Refusal, 'kind'> {
  // An answer of success tells of every record; a request of one record is about that one.
  if (status < 300 || batch.records.length === 1) return refusal;
  const complaints = refusal.complaints.filter(({ seq }) => seq !== null);
  const named = new Set(complaints.map(({ seq }) => seq));
  const records = batch.records.map(({ seq }): RecordReading => ({
    seq,
    outcome: named.has(seq) ? 'rejected' : null,
  }));
  return { records, complaints };
}
