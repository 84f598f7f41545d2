import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { Decimal, withPlaces } from '../../../core/values/decimal.ts';
import type { RowCounter } from '../../push/ports/look.ts';
import {
  HIDING,
  NO_ROWS,
  type ControlTotal,
  type LeftOut,
  type ReportView,
  type RowBytes,
  type RowCounts,
  type RunReport,
  UNSENT_REASONS,
  type UnsentGroup,
} from '../../push/ports/report.ts';
import { chainHeadOf } from '../database/chain.ts';
import {
  ARRIVED_SQL,
  attemptsOf,
  correctedBy,
  END_OF_RECORD,
  END_OF_ROW,
  isOfReading,
  ofBatch,
  rowsOf,
  UNSETTLED,
  WITH_PAST_ATTEMPTS,
} from '../database/outcome-sql.ts';
import { allRows, eachRow, firstRow, isAny, valueOf, valuesOf } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';
import type { RunHeader } from '../database/run-header.ts';
import { IS_FINAL } from '../send/taking-up.ts';
import { problemGroupsOf, problemReportOf, problemIn, PROBLEMS_AT, type KeptProblem } from './problems.ts';
import type { TraceChoice, TracedAttempt, TracedRecord } from '../../push/ports/trace.ts';

/** The work that is left for a drain. */
export type OpenWork = Readonly<Record<'requests' | 'accounts' | 'records', number>>;

/** The figures of a reading, counted by the database. `counted`: the rows that are not in it. */
export function reportingOperations(
  db: RunDatabase,
  number: number,
  { id, resource }: Pick<RunHeader, 'id' | 'resource'>,
  counted: RowCounter | undefined,
) {
  /** The rows, which change while they are read. */
  const rows = (): string => rowsOf(db, number);
  const ended = (): string => `${rows()} LEFT JOIN outcome USING (seq)`;
  const by = (): string => correctedBy(db);
  const count = (sql: string): number => valueOf<number>(db, sql)!;
  let known: { readonly after: number; readonly counts: RowCounts } | undefined;
  /** Counted anew only when something was written since, because it reads every row, and a push asks several times. */
  const rowCounts = (): RowCounts => {
    const after = count('SELECT total_changes()');
    if (known?.after === after) return known.counts;
    const counts = { ...NO_ROWS };
    const ends = `SELECT iif(${by()} IS NULL, ${END_OF_ROW}, 'filtered') AS "end", count(*) AS n FROM ${ended()} GROUP BY 1`;
    for (const { end, n } of allRows<{ end: Exclude<keyof RowCounts, 'read'>; n: number }>(db, ends)) {
      counts.read += n;
      counts[end] += n;
    }
    known = { after, counts };
    return counts;
  };
  const changedRows = (): number =>
    count(`SELECT count(*) FROM ${rows()} WHERE state IN ('changed', 'moved')`);
  return {
    rows: rowCounts,
    /** How many rows are kept from being sent because the platform has their records with other content or on another account. */
    changedRows,
    /** Whether a person has settled rows since the last request, so that a command that they stopped goes on. */
    isConfirmedSince: () => isAny(db, CONFIRMED_SINCE),
    hasInvalidRows: () => isAny(db, `SELECT 1 FROM ${rows()} WHERE state = 'invalid' AND ${by()} IS NULL`),
    requestsSoFar: () => count(`SELECT count(*) FROM ${attemptsOf(db, number)}`),
    /** How much is to be sent. */
    openWork: () => firstRow<OpenWork>(db, OPEN_WORK)!,
    /** What is left of it, and how much of that has no text, which only the files have then. */
    left: () =>
      firstRow<Record<'rows' | 'erased', number>>(
        db,
        `SELECT coalesce(sum(outcome IS NULL OR NOT ${IS_FINAL}), 0) AS rows, coalesce(sum(payload IS NULL), 0) AS erased FROM ${ended()}
         WHERE record.state = 'pending' OR (record.state = 'valid' AND (outcome IS NULL
           OR (${IS_REFUSED_OPEN} AND NOT (${DESCRIPTORS[resource].refusal.final === null ? 'FALSE' : IS_FINAL}))))`,
      )!,
    suppliers: () =>
      valuesOf<string>(
        db,
        `SELECT DISTINCT import_supplier FROM ${rows()} JOIN account ON account.id = account_id ORDER BY 1`,
      ),
    report(view: ReportView = HIDING): RunReport {
      const report = {
        run: id,
        resource,
        rows: rowCounts(),
        changed: changedRows(),
        requests: requestsOf(db, attemptsOf(db, number)),
        chain: chainHeadOf(db),
        accounts: firstRow<RunReport['accounts']>(db, accountsSql(rows(), isOfReading(db, number)))!,
        controlTotals: controlTotalsOf(db, ended()),
        leftOut: allRows<LeftOut>(db, leftOutSql(rows(), by())),
        ...problemReportOf(db, number, view),
      };
      return counted?.addedTo(report) ?? report;
    },
    warnings: (view: ReportView) => problemGroupsOf(db, number, view).warningGroups,
    traced: traced.bind(undefined, db, number),
    measures: () => measuresOf(db, number),
    /**
     * The bytes of the rows of a source, counted from 1, that were invalid or that the platform rejected, in the order of the file. A
     * query may make several records of one row.
     */
    rejectedRows: (source: number): Iterable<RowBytes> =>
      eachRow(
        db,
        `SELECT byte_start AS start, max(byte_end) AS "end" FROM ${ended()}
           WHERE source = ? AND ((record.state = 'invalid' AND ${by()} IS NULL) OR ${END_OF_ROW} = 'rejected') GROUP BY byte_start ORDER BY byte_start`,
        source,
      ),
  };
}

const CONFIRMED_SINCE = `
  SELECT 1 FROM link JOIN event ON event.id = event_id WHERE kind = 'confirmed'
    AND link.id > (SELECT coalesce(max(id), 0) FROM link WHERE attempt_id IS NOT NULL)`;

const OPEN_WORK = `
  SELECT count(*) AS requests, count(DISTINCT batch.account_id) AS accounts, coalesce(sum((
    SELECT count(*) FROM (${UNSETTLED}))), 0) AS records
  FROM batch WHERE state IN ('planned', 'sent')`;

/** A refused record that stopped its account, or that is not sent again before its files are read. */
const IS_REFUSED_OPEN = `outcome = 'rejected' AND (payload IS NULL OR ${ofBatch("batch.state <> 'done'")})`;

/** An attempt of which no byte left. Without a status only what may not be sent again is settled. */
const NEVER_LEFT = "(status IS NULL AND coalesce(result, 'open') IN ('not_applied', 'settled'))";

function requestsOf(db: RunDatabase, attempts: string): RunReport['requests'] {
  const byStatus = allRows<{ status: string; n: number }>(
    db,
    `SELECT CASE WHEN status IS NOT NULL THEN CAST(status AS TEXT)
                 WHEN ${NEVER_LEFT} THEN 'not_sent' ELSE 'lost' END AS status, count(*) AS n
     FROM ${attempts} GROUP BY 1 ORDER BY 1`,
  );
  const counts = firstRow<Record<'total' | 'retried', number>>(
    db,
    `SELECT count(*) AS total, count(*) FILTER (WHERE NOT ${NEVER_LEFT}) - count(DISTINCT iif(${NEVER_LEFT}, NULL, batch_id)) AS retried
     FROM ${attempts}`,
  )!;
  return { ...counts, byStatus: Object.fromEntries(byStatus.map(({ status, n }) => [status, n])) };
}

const accountsSql = (rows: string, isOwnBatch: string): string => `
  SELECT count(*) AS total, coalesce(sum(open = 0 AND refused IS NULL), 0) AS done, coalesce(sum(rejected > 0), 0) AS stopped
  FROM (SELECT account_id, sum(state <> 'done') AS open, sum(state = 'rejected') AS rejected FROM batch WHERE ${isOwnBatch} GROUP BY account_id)
  LEFT JOIN (SELECT account_id, count(*) AS refused FROM ${rows} JOIN outcome USING (seq)
    WHERE outcome IN ('rejected', 'verify') GROUP BY account_id) USING (account_id)`;

/** Counts and sums by type. A row whose record is there with other content, or on another account, has not arrived. */
function controlTotalsOf(db: RunDatabase, ended: string): readonly ControlTotal[] {
  const rows = allRows<Omit<ControlTotal, 'currency'>>(
    db,
    `SELECT type, count(*) AS count, decimal_sum(record.amount) AS read,
       decimal_sum(iif(outcome IN ${ARRIVED_SQL}, coalesce(outcome.amount, record.amount), NULL)) AS accepted
     FROM ${ended} WHERE record.state NOT IN ('invalid', 'filtered') GROUP BY type ORDER BY type`,
  );
  return rows.map((row) => ({
    ...row,
    currency: null,
    // The sum over no accepted record is zero. Null means that there are no amounts.
    accepted:
      row.read === null ? null : withPlaces(Decimal.of(row.accepted ?? '0'), Decimal.of(row.read).places),
  }));
}

const leftOutSql = (rows: string, by: string): string => `
  SELECT iif(state = 'filtered', cause, 'corrected') AS kind, coalesce(cause_place, ${by}) AS place, count(*) AS count FROM ${rows}
  WHERE state = 'filtered' OR ${by} IS NOT NULL GROUP BY 1, 2 ORDER BY min(record.place)`;

/** The figures of accounts, of a reading whose problems name their records. All are counted by the database, so files of any size take the same memory. */
function measuresOf(db: RunDatabase, number: number) {
  db.exec(`DROP TABLE IF EXISTS temp.tally; CREATE TEMP TABLE tally AS ${tallySql(rowsOf(db, number))}`);
  const sum =
    'SELECT count(*) AS accounts, coalesce(sum(arrived < records), 0) AS unfinished FROM temp.tally';
  const accounts = firstRow<Record<'accounts' | 'unfinished', number>>(db, sum)!;
  return { ...accounts, unsent: allRows<UnsentGroup>(db, UNSENT, JSON.stringify(UNSENT_REASONS)) };
}

const tallySql = (rows: string): string => `
  SELECT account_id, count(*) AS records, sum("end" IN ${ARRIVED_SQL}) AS arrived, sum("end" = 'not_sent') AS not_sent
  FROM (SELECT account_id, ${END_OF_ROW} AS "end" FROM ${rows} LEFT JOIN outcome USING (seq)
    WHERE record.state NOT IN ('invalid', 'filtered'))
  GROUP BY account_id`;

const UNSENT = `
  SELECT problem.code AS reason, count(*) AS accounts, sum(not_sent) AS rows
  FROM problem JOIN record USING (seq) JOIN temp.tally ON tally.account_id = record.account_id
  WHERE not_sent > 0 AND problem.code IN (SELECT value FROM json_each(?)) GROUP BY 1 ORDER BY 3 DESC`;

type Row = Omit<TracedRecord, 'attempts' | 'problems'> & {
  readonly total: number;
  readonly batch: number | null;
} & Readonly<Record<'seq' | 'sourceId' | 'accountId', number | null>>;

/** The first 100 records that are chosen, in file order, and the number of all. */
function traced(
  db: RunDatabase,
  number: number,
  { line = null, account = null }: { readonly [K in keyof TraceChoice]: TraceChoice[K] | null },
  view: ReportView,
): { total: number; records: readonly TracedRecord[] } {
  const rows = allRows<Row>(
    db,
    `SELECT count(*) OVER () AS total, record.seq, source_id AS sourceId, account_id AS accountId, source.name AS file, first_line AS line,
       last_line, cause, nullif(cause_place, '') AS place, ${END_OF_RECORD} AS outcome,
       iif(record.state = 'valid', ${ofBatch('batch.id')}, NULL) AS batch
     FROM ${rowsOf(db, number)} JOIN source ON source.id = source_id LEFT JOIN account ON account.id = account_id LEFT JOIN outcome USING (seq)
     WHERE (@line IS NULL OR @line BETWEEN first_line AND last_line)
       AND (@account IS NULL OR external_account_number = @account)
     ORDER BY record.seq LIMIT 100`,
    { line, account },
  );
  const attempts = db.prepare<[number | null], TracedAttempt>(
    `${WITH_PAST_ATTEMPTS} SELECT batch_id AS batch, started_at, ended_at, status, result, reason FROM past ORDER BY id`,
  );
  const problems = db.prepare<object, KeptProblem>(PROBLEMS);
  const records = rows.map((found) => {
    const { total: _, batch, seq, sourceId, accountId, ...row } = found;
    const { line: firstLine, last_line: lastLine, outcome } = row;
    const kept = problems.all({ seq, sourceId, firstLine, lastLine, accountId, outcome });
    return {
      ...row,
      attempts: attempts.all(batch),
      problems: kept.map(({ document, unhidden }) => problemIn({ document, unhidden }, view)),
    };
  });
  return { total: rows[0]?.total ?? 0, records };
}

/** Why an account was not sent is kept at its first record, and is true of all. */
const PROBLEMS = `
  ${PROBLEMS_AT} UNION SELECT document, unhidden, line, problem.id, code FROM problem JOIN batch ON batch.id = batch_id
  WHERE @outcome = 'not_sent' AND account_id = @accountId AND code IN ('${UNSENT_REASONS.join("', '")}')
  ORDER BY line, id`;
