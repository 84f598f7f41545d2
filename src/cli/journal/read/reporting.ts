import { Decimal, withPlaces } from '../../../core/values/decimal.ts';
import {
  NO_ROWS,
  type ControlTotal,
  type LeftOut,
  type LeftOutKind,
  type ReportView,
  type RowBytes,
  type RowCounts,
  type RowOutcome,
  type RunReport,
} from '../../push/ports/report.ts';
import { chainHeadOf } from '../database/chain.ts';
import { problemReportOf } from './problems.ts';
import { ARRIVED_SQL, END_OF_ROW, isOfReading, ofBatch, rowsOf } from '../database/outcome-sql.ts';
import { allRows, eachRow, firstRow, valueOf } from '../database/queries.ts';
import { IS_FINAL } from '../send/taking-up.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** The report of a run, counted by the database. */
export function reportOf(
  db: RunDatabase,
  number: number,
  view: ReportView,
): Omit<RunReport, 'run' | 'resource'> {
  return {
    rows: rowCountsOf(db, number),
    changed: changedOf(db, number),
    requests: requests(db, number),
    chain: chainHeadOf(db),
    accounts: accounts(db, number),
    controlTotals: controlTotals(db, number),
    leftOut: leftOut(db, number),
    ...problemReportOf(db, number, view),
  };
}

/** How many rows ended in each way. */
export function rowCountsOf(db: RunDatabase, number: number): RowCounts {
  const ends = allRows<{ end: RowEnd['end']; n: number }>(
    db,
    `SELECT ${END_OF_ROW} AS "end", count(*) AS n FROM ${rowsOf(db, number)} LEFT JOIN outcome USING (seq) GROUP BY 1`,
  );
  const counts = { ...NO_ROWS };
  for (const { end, n } of ends) {
    counts.read += n;
    counts[end] += n;
  }
  return counts;
}

/** Rows whose record has arrived with other values, or on another account. */
export const changedOf = (db: RunDatabase, number: number): number =>
  count(db, `SELECT count(*) FROM ${rowsOf(db, number)} WHERE state IN ('changed', 'moved')`);

/** An attempt of which no byte left. Without a status only what may not be sent again is settled. */
const NEVER_LEFT = "(status IS NULL AND coalesce(result, 'open') IN ('not_applied', 'settled'))";

function requests(db: RunDatabase, number: number): RunReport['requests'] {
  const attempt = attemptsOf(db, number);
  const byStatus = allRows<{ status: string; n: number }>(
    db,
    `SELECT CASE WHEN status IS NOT NULL THEN CAST(status AS TEXT)
                 WHEN ${NEVER_LEFT} THEN 'not_sent' ELSE 'lost' END AS status, count(*) AS n
     FROM ${attempt} GROUP BY 1 ORDER BY 1`,
  );
  const counts = firstRow<Record<'total' | 'retried', number>>(
    db,
    `SELECT count(*) AS total, count(*) FILTER (WHERE NOT ${NEVER_LEFT}) - count(DISTINCT iif(${NEVER_LEFT}, NULL, batch_id)) AS retried
     FROM ${attempt}`,
  )!;
  return { ...counts, byStatus: Object.fromEntries(byStatus.map(({ status, n }) => [status, n])) };
}

function accounts(db: RunDatabase, number: number): RunReport['accounts'] {
  return firstRow<RunReport['accounts']>(
    db,
    `SELECT count(*) AS total, coalesce(sum(open = 0 AND refused IS NULL), 0) AS done, coalesce(sum(rejected > 0), 0) AS stopped
     FROM (SELECT account_id, sum(state <> 'done') AS open, sum(state = 'rejected') AS rejected FROM batch WHERE ${isOfReading(db, number)} GROUP BY account_id)
     LEFT JOIN (SELECT account_id, count(*) AS refused FROM ${rowsOf(db, number)} JOIN outcome USING (seq)
       WHERE outcome IN ('rejected', 'verify') GROUP BY account_id) USING (account_id)`,
  )!;
}

/** Counts and sums by type of the valid records. */
function controlTotals(db: RunDatabase, number: number): readonly ControlTotal[] {
  const rows = allRows<Omit<ControlTotal, 'currency'>>(
    db,
    `SELECT type, count(*) AS count, decimal_sum(record.amount) AS read,
       decimal_sum(iif(outcome IN ${ARRIVED_SQL}, coalesce(outcome.amount, record.amount), NULL)) AS accepted
     FROM ${rowsOf(db, number)} LEFT JOIN outcome USING (seq)
     WHERE record.state IN ('valid', 'pending', 'repeated') GROUP BY type ORDER BY type`,
  );
  return rows.map((row) => ({
    ...row,
    currency: null,
    // The sum over no accepted record is zero. Null means that there are no amounts.
    accepted:
      row.read === null ? null : withPlaces(Decimal.of(row.accepted ?? '0'), Decimal.of(row.read).places),
  }));
}

const leftOut = (db: RunDatabase, number: number): readonly LeftOut[] =>
  allRows(
    db,
    `SELECT cause AS kind, cause_place AS place, count(*) AS count FROM ${rowsOf(db, number)}
     WHERE state = 'filtered' GROUP BY 1, 2 ORDER BY min(record.place)`,
  );

const count = (db: RunDatabase, sql: string): number => valueOf<number>(db, sql)!;

export interface RowEnd {
  readonly end: RowOutcome | 'invalid' | 'filtered';
  /** Why the row was left out, and the place in the mapping file; both null for other rows. */
  readonly kind: LeftOutKind | null;
  readonly place: string | null;
}

/** The end of every row, in the order of the files. */
export const rowEndsOf = (db: RunDatabase, number: number): IterableIterator<RowEnd> =>
  eachRow(
    db,
    `SELECT ${END_OF_ROW} AS "end", cause AS kind, cause_place AS place
     FROM ${rowsOf(db, number)} LEFT JOIN outcome USING (seq) ORDER BY record.place`,
  );

/**
 * The bytes of the rows of a source that were invalid or that the platform rejected, in the order of the file. A query may make
 * several records of one row.
 */
export const rejectedRowsOf = (db: RunDatabase, number: number, source: number): IterableIterator<RowBytes> =>
  eachRow(
    db,
    `SELECT byte_start AS start, max(byte_end) AS "end" FROM ${rowsOf(db, number)} LEFT JOIN outcome USING (seq)
     WHERE source = ? AND (record.state = 'invalid' OR ${END_OF_ROW} = 'rejected') GROUP BY byte_start ORDER BY byte_start`,
    source,
  );

/** The work that is left for a drain. */
export type OpenWork = Readonly<Record<'requests' | 'accounts' | 'records', number>>;

export const openWorkOf = (db: RunDatabase): OpenWork =>
  firstRow<OpenWork>(
    db,
    `SELECT count(*) AS requests, count(DISTINCT batch.account_id) AS accounts, coalesce(sum((
       SELECT count(*) FROM record WHERE record.account_id = batch.account_id AND seq BETWEEN first_seq AND last_seq
         AND record.state = 'valid' AND NOT EXISTS (SELECT 1 FROM outcome WHERE outcome.seq = record.seq))), 0) AS records
     FROM batch WHERE state IN ('planned', 'sent')`,
  )!;

/** A refused record that stopped its account, or that is not sent again before its files are read. */
const IS_REFUSED_OPEN = `outcome = 'rejected' AND (payload IS NULL OR ${ofBatch("batch.state <> 'done'")})`;

/**
 * What is left of a reading: to send or to find out, and without their texts, which only the files have then. `mayBeFinal`: whether a
 * record may be refused for good.
 */
export const leftOf = (db: RunDatabase, number: number, mayBeFinal: boolean) =>
  firstRow<Record<'rows' | 'erased', number>>(
    db,
    `SELECT coalesce(sum(outcome IS NULL OR NOT ${IS_FINAL}), 0) AS rows, coalesce(sum(payload IS NULL), 0) AS erased
     FROM ${rowsOf(db, number)} LEFT JOIN outcome USING (seq)
     WHERE record.state = 'pending' OR (record.state = 'valid' AND (outcome IS NULL
       OR (${IS_REFUSED_OPEN} AND NOT (${mayBeFinal ? IS_FINAL : 'FALSE'}))))`,
  )!;

/** How many requests were begun. */
export const attemptsSoFar = (db: RunDatabase, number: number): number =>
  valueOf<number>(db, `SELECT count(*) FROM ${attemptsOf(db, number)}`)!;

/** The attempts at requests with records of a reading, as the table `attempt`. */
export const attemptsOf = (db: RunDatabase, number: number): string =>
  `(SELECT attempt.* FROM attempt JOIN batch ON batch.id = batch_id WHERE ${isOfReading(db, number)}) AS attempt`;
