import { Decimal, withPlaces } from '../../../core/values/decimal.ts';
import {
  CONFLICTING,
  LISTED_ACCOUNTS,
  NO_ROWS,
  type ControlTotal,
  type LeftOut,
  type LeftOutKind,
  type ReportView,
  type RowCounts,
  type RowOutcome,
  type RunReport,
  type WrittenOutcome,
} from '../../push/ports/report.ts';
import type { PlannedRequest } from '../../push/ports/staging.ts';
import { sendingTimesOf } from './attempts.ts';
import { chainHeadOf } from '../database/chain.ts';
import { withdrawnOf } from './withdrawn.ts';
import { problemReportOf } from './problems.ts';
import { ARRIVED_SQL, OUTCOME_OF_RECORD } from '../database/outcome-sql.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** The report of a run, counted by the database. */
export function reportOf(db: RunDatabase, view: ReportView): Omit<RunReport, 'run' | 'resource'> {
  return {
    rows: rowCountsOf(db),
    withdrawn: withdrawnOf(db),
    requests: requests(db),
    chain: chainHeadOf(db),
    accounts: accounts(db),
    controlTotals: controlTotals(db),
    ...platformAccounts(db),
    leftOut: leftOut(db),
    ...problemReportOf(db, view),
  };
}

/** How many rows ended in each way. */
export function rowCountsOf(db: RunDatabase): RowCounts {
  const ends = db
    .prepare<[], { end: RowEnd['end']; n: number }>(
      `SELECT ${END_OF_ROW} AS "end", count(*) AS n FROM record LEFT JOIN outcome USING (seq) GROUP BY 1`,
    )
    .all();
  const notKept = count(
    db,
    'SELECT coalesce(sum(last_seq - first_seq + 1), 0) AS n FROM sent_before WHERE until_id IS NULL',
  );
  const counts = { ...NO_ROWS, sent_before: notKept, read: notKept };
  for (const { end, n } of ends) {
    counts.read += n;
    counts[end] += n;
  }
  return counts;
}

/** How a row of the run file ended. Only the operator of the platform can change a record that has changed or moved. */
const END_OF_ROW = `
  CASE WHEN record.state <> 'valid' THEN record.state
    WHEN outcome.outcome IN ('${CONFLICTING.join("', '")}') THEN 'invalid' ELSE ${OUTCOME_OF_RECORD} END`;

/** An attempt of which no byte left. Without a status only what may not be sent again is settled. */
const NEVER_LEFT = "(status IS NULL AND coalesce(result, 'open') IN ('not_applied', 'settled'))";

function requests(db: RunDatabase): RunReport['requests'] {
  const byStatus = db
    .prepare<[], { status: string; n: number }>(
      `SELECT CASE WHEN status IS NOT NULL THEN CAST(status AS TEXT)
                   WHEN ${NEVER_LEFT} THEN 'not_sent' ELSE 'lost' END AS status, count(*) AS n
       FROM attempt GROUP BY 1 ORDER BY 1`,
    )
    .all();
  return {
    total: count(db, 'SELECT count(*) AS n FROM attempt'),
    retried: count(
      db,
      `SELECT count(*) - count(DISTINCT batch_id) AS n FROM attempt WHERE NOT ${NEVER_LEFT}`,
    ),
    byStatus: Object.fromEntries(byStatus.map(({ status, n }) => [status, n])),
  };
}

function accounts(db: RunDatabase): RunReport['accounts'] {
  return db
    .prepare<[], RunReport['accounts']>(
      `SELECT count(*) AS total, coalesce(sum(open = 0 AND refused IS NULL), 0) AS done, coalesce(sum(rejected > 0), 0) AS stopped
       FROM (SELECT account_id, sum(state <> 'done') AS open, sum(state = 'rejected') AS rejected FROM batch GROUP BY account_id)
       LEFT JOIN (SELECT account_id, count(*) AS refused FROM outcome JOIN record USING (seq)
         WHERE outcome IN ('rejected', 'verify') GROUP BY account_id) USING (account_id)`,
    )
    .get()!;
}

function platformAccounts(db: RunDatabase): Pick<RunReport, 'platformAccounts' | 'platformAccountsTotal'> {
  const rows = db.prepare<[number], RunReport['platformAccounts'][number]>(
    `SELECT import_supplier, external_account_number, platform_account_number FROM account
     WHERE platform_account_number IS NOT NULL ORDER BY id LIMIT ?`,
  );
  return {
    platformAccounts: rows.all(LISTED_ACCOUNTS),
    platformAccountsTotal: count(
      db,
      'SELECT count(*) AS n FROM account WHERE platform_account_number IS NOT NULL',
    ),
  };
}

/** Counts and sums by type of the valid records. */
function controlTotals(db: RunDatabase): readonly ControlTotal[] {
  const rows = db
    .prepare<[], { type: string | null; count: number; read: string | null; accepted: string | null }>(
      `SELECT type, sum(count) AS count, decimal_sum(read) AS read, decimal_sum(accepted) AS accepted FROM (
         SELECT type, count(*) AS count, decimal_sum(record.amount) AS read,
           decimal_sum(iif(outcome IN ${ARRIVED_SQL}, coalesce(outcome.amount, record.amount), NULL)) AS accepted
         FROM record LEFT JOIN outcome USING (seq)
         WHERE record.state = 'valid' AND coalesce(outcome, '') NOT IN ('${CONFLICTING.join("', '")}') GROUP BY type
         UNION ALL SELECT type, count, read, read FROM sent_before_total WHERE until_id IS NULL) GROUP BY type ORDER BY type`,
    )
    .all();
  return rows.map((row) => ({
    ...row,
    currency: null,
    // The sum over no accepted record is zero. Null means that there are no amounts.
    accepted:
      row.read === null ? null : withPlaces(Decimal.of(row.accepted ?? '0'), Decimal.of(row.read).places),
  }));
}

function leftOut(db: RunDatabase): readonly LeftOut[] {
  return db
    .prepare<[], LeftOut>(
      `SELECT kind, place, count(*) AS count FROM record JOIN cause ON cause.id = cause_id
       WHERE state = 'filtered' GROUP BY cause.id ORDER BY cause.id`,
    )
    .all();
}

const count = (db: RunDatabase, sql: string): number => db.prepare<[], { n: number }>(sql).get()!.n;

/** A row that was sent, and no answer says whether it was applied. */
export interface UnknownRow {
  /** Name of its source. */
  readonly file: string;
  readonly line: number;
}

/** In the order of the files. There are few, because they were in flight at the same time. */
export function unknownRowsOf(db: RunDatabase): readonly UnknownRow[] {
  return db
    .prepare<[], UnknownRow>(
      `SELECT source.name AS file, first_line AS line
       FROM record LEFT JOIN outcome USING (seq) JOIN source ON source.id = source_id
       WHERE record.state = 'valid' AND ${OUTCOME_OF_RECORD} = 'unknown' ORDER BY seq`,
    )
    .all();
}

export interface RowEnd {
  readonly end: RowOutcome | 'invalid' | 'filtered';
  /** Why the row was left out, and the place in the mapping file; both null for other rows. */
  readonly kind: LeftOutKind | null;
  readonly place: string | null;
}

/** The end of every row, in the order of the files. */
export function* rowEndsOf(db: RunDatabase): Generator<RowEnd> {
  const rows = db
    .prepare<[], RowEnd & { seq: number }>(
      `SELECT record.seq, ${END_OF_ROW} AS "end", kind, place
       FROM record LEFT JOIN outcome USING (seq) LEFT JOIN cause ON cause.id = cause_id ORDER BY record.seq`,
    )
    .iterate();
  let seq = 1;
  for (const { seq: at, ...row } of rows) {
    // The numbers that are missing are those of rows that were not kept.
    for (; seq < at; seq++) yield SENT_BEFORE;
    yield row;
    seq++;
  }
  const last =
    db
      .prepare<[], number | null>('SELECT max(last_seq) FROM sent_before WHERE until_id IS NULL')
      .pluck()
      .get() ?? 0;
  for (; seq <= last; seq++) yield SENT_BEFORE;
}

const SENT_BEFORE: RowEnd = { end: 'sent_before', kind: null, place: null };

/** The work that is left for a drain. */
export type OpenWork = { readonly records: number; readonly batches: number; readonly accounts: number };

export function openWorkOf(db: RunDatabase): OpenWork {
  return db
    .prepare<[], OpenWork>(
      `SELECT count(*) AS batches, count(DISTINCT account_id) AS accounts,
         (SELECT count(*) FROM record WHERE state = 'valid'
            AND NOT EXISTS (SELECT 1 FROM outcome WHERE outcome.seq = record.seq)) AS records
       FROM batch WHERE state <> 'done'`,
    )
    .get()!;
}

export function settledCountsOf(db: RunDatabase): Readonly<Partial<Record<WrittenOutcome, number>>> {
  const rows = db
    .prepare<[], { outcome: WrittenOutcome; n: number }>(
      'SELECT outcome, count(*) AS n FROM outcome GROUP BY outcome',
    )
    .all();
  return Object.fromEntries(rows.map(({ outcome, n }) => [outcome, n]));
}

/** Whether anything is left to send. Valid records have batches, unless the run was forgotten before it was planned. */
export function hasRowsLeft(db: RunDatabase): boolean {
  const left = db.prepare(`
    SELECT EXISTS (SELECT 1 FROM batch WHERE state <> 'done')
      OR (NOT EXISTS (SELECT 1 FROM batch) AND EXISTS (SELECT 1 FROM record WHERE state = 'valid'))`);
  return left.pluck().get() === 1;
}

/** Whether refused records are left that could be sent again. */
export function hasRefused(db: RunDatabase): boolean {
  return db.prepare(`SELECT EXISTS (SELECT 1 FROM outcome WHERE outcome = 'rejected')`).pluck().get() === 1;
}

/** From the first attempt to the last answer, in milliseconds; 0 when nothing was sent. */
export function sendingMsOf(db: RunDatabase): number {
  const times = sendingTimesOf(db);
  return times ? times.endMs - times.firstMs : 0;
}

/** The size of each batch, in the order of accounts. */
export function* plannedRequestsOf(db: RunDatabase): Generator<PlannedRequest> {
  type Row = PlannedRequest['account'] & Omit<PlannedRequest, 'account'>;
  const rows = db
    .prepare<[], Row>(
      `SELECT import_supplier, external_account_number, count(*) AS records,
         sum(octet_length(payload)) AS payloadBytes
       FROM batch JOIN account ON account.id = batch.account_id
       JOIN record ON record.account_id = batch.account_id AND record.seq BETWEEN first_seq AND last_seq
         AND record.state = 'valid' AND payload IS NOT NULL
       WHERE batch.state <> 'done' GROUP BY batch.id ORDER BY batch.account_id, first_seq`,
    )
    .iterate();
  for (const { records, payloadBytes, ...account } of rows) yield { account, records, payloadBytes };
}
