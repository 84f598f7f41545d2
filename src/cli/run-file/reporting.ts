import { Decimal, withPlaces } from '../../core/values/decimal.ts';
import type { LocatedProblem } from '../push/ports/located-problem.ts';
import type { RowCounts } from '../push/ports/record-outcome.ts';
import { LISTED_PROBLEMS, type ControlTotal, type RunReport } from '../push/ports/report.ts';
import { problemGroupsOf } from './problem-groups.ts';
import type { RunDatabase } from './run-database.ts';
import { FIRST_DOUBT } from './schema.ts';
import { unseal } from './sealed.ts';

const ZERO = Decimal.of('0');

/** A refusal names the first record that failed, and what stands before it may have been kept (interface.md 4.3). */
const IS_BEHIND_REFUSED = `
  (SELECT reason FROM attempt WHERE batch_id = batch.id ORDER BY attempt.id DESC LIMIT 1) IS '${FIRST_DOUBT}'
  AND record.seq > (
    SELECT min(refused.seq) FROM outcome JOIN record AS refused USING (seq)
    WHERE outcome.outcome = 'rejected' AND refused.account_id = batch.account_id
      AND refused.seq BETWEEN batch.first_seq AND batch.last_seq)`;

/** What an expression says of the batch of a record. */
export const ofBatch = (expression: string): string => `(
  SELECT ${expression} FROM batch WHERE batch.account_id = record.account_id AND batch.first_seq <= record.seq
  ORDER BY batch.first_seq DESC LIMIT 1)`;

/** Whether the platform may have a record without an outcome. */
const MAY_BE_THERE = ofBatch(
  `batch.state = 'sent' OR (batch.unsure AND NOT coalesce(${IS_BEHIND_REFUSED}, 0))`,
);

/** The outcome of a valid record, or what is to be said of one without; what was taken over was in doubt. */
export const OUTCOME_OF_RECORD = `
  coalesce(outcome.outcome,
    iif(record.seq IN (SELECT seq FROM taken_over) OR ${MAY_BE_THERE}, 'unknown', 'not_sent'))`;

/** Everything that a report says of the records of a run, counted by the database. */
export function reportOf(db: RunDatabase): Omit<RunReport, 'run' | 'resource' | 'parent'> {
  const problems = db.prepare<[number], { document: string }>(
    "SELECT document FROM problem ORDER BY severity = 'warning', source_id, line IS NULL, line, id LIMIT ?",
  );
  return {
    rows: rowCounts(db),
    requests: requests(db),
    accounts: accounts(db),
    controlTotals: controlTotals(db),
    problems: problems.all(LISTED_PROBLEMS).map((row) => unseal<LocatedProblem>(row.document)),
    problemsTotal: count(db, 'SELECT count(*) AS n FROM problem'),
    errorsTotal: count(db, "SELECT count(*) AS n FROM problem WHERE severity = 'error'"),
    ...problemGroupsOf(db),
  };
}

function rowCounts(db: RunDatabase): RowCounts {
  const rows = db
    .prepare<[], { end: string; n: number }>(
      `SELECT iif(record.state = 'valid', ${OUTCOME_OF_RECORD}, record.state) AS end, count(*) AS n
       FROM record LEFT JOIN outcome USING (seq) GROUP BY 1`,
    )
    .all();
  const counts = Object.fromEntries(rows.map(({ end, n }) => [end, n]));
  const none = {
    created: 0,
    existing: 0,
    verify: 0,
    rejected: 0,
    unknown: 0,
    not_sent: 0,
    invalid: 0,
    filtered: 0,
  };
  return { read: count(db, 'SELECT count(*) AS n FROM record'), ...none, ...counts };
}

/** An attempt of which no byte left. */
const NEVER_LEFT = "status IS NULL AND reason LIKE 'not_applied%'";

function requests(db: RunDatabase): RunReport['requests'] {
  const byStatus = db
    .prepare<[], { status: string; n: number }>(
      `SELECT CASE WHEN status IS NOT NULL THEN CAST(status AS TEXT)
                   WHEN ${NEVER_LEFT} THEN 'not_sent' ELSE 'lost' END AS status, count(*) AS n
       FROM attempt GROUP BY 1 ORDER BY 1`,
    )
    .all();
  const total = count(db, 'SELECT count(*) AS n FROM attempt');
  const left = count(
    db,
    `SELECT count(*) - count(DISTINCT batch_id) AS n FROM attempt WHERE NOT coalesce(${NEVER_LEFT}, 0)`,
  );
  return {
    total,
    retried: left,
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

function controlTotals(db: RunDatabase): readonly ControlTotal[] {
  const rows = db
    .prepare<[], { type: string | null; count: number; read: string | null; accepted: string | null }>(
      `SELECT type, count(*) AS count, decimal_sum(amount) AS read,
         decimal_sum(iif(outcome IN ('created', 'existing'), amount, NULL)) AS accepted
       FROM record LEFT JOIN outcome USING (seq) WHERE record.state = 'valid' GROUP BY type ORDER BY type`,
    )
    .all();
  return rows.map((row) => ({
    ...row,
    currency: null,
    // A sum over no accepted record is zero, not "no amounts".
    accepted: row.read === null ? null : (row.accepted ?? withPlaces(ZERO, Decimal.of(row.read).places)),
  }));
}

function count(db: RunDatabase, sql: string): number {
  return db.prepare<[], { n: number }>(sql).get()!.n;
}
