import { Decimal, withPlaces } from '../../core/values/decimal.ts';
import {
  LISTED_ACCOUNTS,
  type ControlTotal,
  type LeftOut,
  type LeftOutKind,
  type RecordOutcome,
  type ReportView,
  type RowCounts,
  type RunReport,
  type SettledOutcome,
} from '../push/ports/report.ts';
import type { PlannedRequest } from '../push/ports/staging.ts';
import { sendingTimesOf } from './attempts.ts';
import { chainHeadOf } from './chain.ts';
import { problemReportOf } from './problems.ts';
import type { RunDatabase } from './run-database.ts';

/** A refusal names the first record that failed, and the platform may have kept only the ones before it (interface.md 4.3). */
const IS_BEHIND_REFUSED = `
  (SELECT result FROM attempt WHERE batch_id = batch.id ORDER BY attempt.id DESC LIMIT 1) IS 'first_doubt'
  AND record.seq > (
    SELECT min(refused.seq) FROM outcome JOIN record AS refused USING (seq)
    WHERE outcome.outcome = 'rejected' AND refused.account_id = batch.account_id
      AND refused.seq BETWEEN batch.first_seq AND batch.last_seq)`;

/** The value of an expression for the batch of a record. */
export const ofBatch = (expression: string): string => `(
  SELECT ${expression} FROM batch WHERE batch.account_id = record.account_id AND batch.first_seq <= record.seq
  ORDER BY batch.first_seq DESC LIMIT 1)`;

/** Whether the platform may have a record without an outcome. */
const MAY_BE_THERE = ofBatch(
  `batch.state = 'sent' OR (batch.in_doubt AND NOT coalesce(${IS_BEHIND_REFUSED}, 0))`,
);

/** The outcome of a valid record. A record that was taken over without an outcome was in doubt. */
export const OUTCOME_OF_RECORD = `
  coalesce(outcome.outcome,
    iif(record.seq IN (SELECT seq FROM taken_over) OR ${MAY_BE_THERE}, 'unknown', 'not_sent'))`;

/**
 * The report of a run, counted by the database. `leftTo`: ids of runs that took records over; rows, sums and problems are without
 * these records.
 */
export function reportOf(
  db: RunDatabase,
  view: ReportView,
  leftTo: readonly string[] = [],
): Omit<RunReport, 'run' | 'resource' | 'parent'> {
  const [ofRecords, ofProblems] = leftTo.length === 0 ? [undefined, undefined] : whatStays(db, leftTo);
  return {
    rows: rowCountsOf(db, ofRecords && `WHERE ${ofRecords}`),
    judged: judged(db),
    requests: requests(db),
    chain: chainHeadOf(db),
    accounts: accounts(db),
    controlTotals: controlTotals(db, ofRecords && `AND ${ofRecords}`),
    ...platformAccounts(db),
    leftOut: leftOut(db),
    ...problemReportOf(db, view, ofProblems && `WHERE ${ofProblems}`),
  };
}

/** A retry erases payloads, too: those of the records that it took over. */
function judged(db: RunDatabase): number {
  return count(
    db,
    `SELECT count(*) AS n FROM outcome JOIN record USING (seq)
     WHERE outcome.outcome = 'verify' AND payload IS NULL AND seq NOT IN (SELECT seq FROM taken_over)`,
  );
}

/** Conditions for the records that no run of `takers` took over, and for their problems. */
function whatStays(
  db: RunDatabase,
  takers: readonly string[],
): readonly [ofRecords: string, ofProblems: string] {
  db.exec('DROP TABLE IF EXISTS temp.left_to; CREATE TEMP TABLE left_to (seq INTEGER PRIMARY KEY)');
  db.prepare(
    'INSERT INTO left_to SELECT seq FROM taken_over WHERE run IN (SELECT value FROM json_each(?))',
  ).run(JSON.stringify(takers));
  return [
    'record.seq NOT IN (SELECT seq FROM left_to)',
    `NOT EXISTS (SELECT 1 FROM left_to JOIN record USING (seq)
       WHERE record.source_id = problem.source_id AND problem.line BETWEEN first_line AND last_line)`,
  ];
}

/** How many rows ended in each way: all rows, or those of `which`, a condition in SQL. */
export function rowCountsOf(db: RunDatabase, which = ''): RowCounts {
  const ends = db
    .prepare<[], { end: string; n: number }>(
      `SELECT iif(record.state = 'valid', ${OUTCOME_OF_RECORD}, record.state) AS end, count(*) AS n
       FROM record LEFT JOIN outcome USING (seq) ${which} GROUP BY 1`,
    )
    .all();
  const none = { created: 0, existing: 0, verify: 0, rejected: 0, unknown: 0, not_sent: 0 };
  return {
    read: count(db, `SELECT count(*) AS n FROM record ${which}`),
    ...none,
    invalid: 0,
    filtered: 0,
    ...Object.fromEntries(ends.map(({ end, n }) => [end, n])),
  };
}

/** An attempt of which no byte left. */
const NEVER_LEFT = "(status IS NULL AND result IS 'not_applied')";

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
      `SELECT count(*) AS total, coalesce(sum(open = 0), 0) AS done, coalesce(sum(rejected > 0), 0) AS stopped
       FROM (SELECT sum(state <> 'done') AS open, sum(state = 'rejected') AS rejected FROM batch GROUP BY account_id)`,
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

/** Counts and sums by type of the valid records, or of some of them: `which` is a further condition in SQL. */
export function controlTotals(db: RunDatabase, which = ''): readonly ControlTotal[] {
  const rows = db
    .prepare<[], { type: string | null; count: number; read: string | null; accepted: string | null }>(
      `SELECT type, count(*) AS count, decimal_sum(record.amount) AS read,
         decimal_sum(iif(outcome IN ('created', 'existing'), coalesce(outcome.amount, record.amount), NULL)) AS accepted
       FROM record LEFT JOIN outcome USING (seq) WHERE record.state = 'valid' ${which} GROUP BY type ORDER BY type`,
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

function count(db: RunDatabase, sql: string): number {
  return db.prepare<[], { n: number }>(sql).get()!.n;
}

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

/** How one row ended. */
export interface RowEnd {
  readonly end: RecordOutcome | 'invalid' | 'filtered';
  /** Why the row was left out, and the place in the mapping file; both null for other rows. */
  readonly kind: LeftOutKind | null;
  readonly place: string | null;
}

/** The end of every row, in the order of the files. */
export function rowEndsOf(db: RunDatabase): IterableIterator<RowEnd> {
  return db
    .prepare<[], RowEnd>(
      `SELECT iif(record.state = 'valid', ${OUTCOME_OF_RECORD}, record.state) AS "end", kind, place
       FROM record LEFT JOIN outcome USING (seq) LEFT JOIN cause ON cause.id = cause_id ORDER BY record.seq`,
    )
    .iterate();
}

/** The work that is left for a drain. */
export interface OpenWork {
  readonly records: number;
  readonly batches: number;
  readonly accounts: number;
}

export function openWorkOf(db: RunDatabase): OpenWork {
  return db
    .prepare<[], OpenWork>(
      `SELECT count(*) AS batches, count(DISTINCT account_id) AS accounts,
         (SELECT count(*) FROM record WHERE state = 'valid' AND seq NOT IN (SELECT seq FROM taken_over)
            AND NOT EXISTS (SELECT 1 FROM outcome WHERE outcome.seq = record.seq)) AS records
       FROM batch WHERE state <> 'done'`,
    )
    .get()!;
}

/** How many records have each outcome. */
export function settledCountsOf(db: RunDatabase): Readonly<Partial<Record<SettledOutcome, number>>> {
  const rows = db
    .prepare<[], { outcome: SettledOutcome; n: number }>(
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
         AND record.state = 'valid'
       GROUP BY batch.id ORDER BY batch.account_id, first_seq`,
    )
    .iterate();
  for (const { records, payloadBytes, ...account } of rows) yield { account, records, payloadBytes };
}
