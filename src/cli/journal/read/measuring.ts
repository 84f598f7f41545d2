import {
  LISTED_UNFINISHED,
  type Decision,
  type RunMeasures,
  type UnfinishedAccount,
  type UnsentGroup,
} from '../../push/ports/measures.ts';
import { UNSENT_REASONS, type ReportView } from '../../push/ports/report.ts';
import { problemIn, PROBLEMS_AT, type KeptProblem } from './problems.ts';
import { ARRIVED_SQL, attemptsOf, END_OF_ROW, rowsOf } from '../database/outcome-sql.ts';
import { allRows, firstRow } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';
import { PROBLEM_INDEXES } from '../database/schema.ts';

/**
 * Each account with its records and the first of them that did not arrive, as a temporary table, because several questions are asked of it.
 * SQLite takes the columns beside the only min() from the row that has it.
 */
const tallySql = (rows: string): string => `
  DROP TABLE IF EXISTS temp.tally;
  CREATE TEMP TABLE tally AS
  SELECT account_id, count(*) AS records, sum("end" IN ${ARRIVED_SQL}) AS arrived, sum("end" = 'rejected') AS rejected,
    sum("end" = 'verify') AS verify, sum("end" = 'unknown') AS unknown, sum("end" = 'not_sent') AS not_sent,
    min(iif("end" IN ${ARRIVED_SQL}, NULL, place)) AS place, seq, source_id, first_line, last_line
  FROM (SELECT account_id, ${END_OF_ROW} AS "end", record.place, record.seq, source_id, first_line, last_line
    FROM ${rows} LEFT JOIN outcome USING (seq) WHERE record.state NOT IN ('invalid', 'filtered'))
  GROUP BY account_id`;

const UNFINISHED = `
  SELECT import_supplier, external_account_number, source.name AS file, first_line AS line, records, arrived, rejected, verify, unknown,
    not_sent, seq, source_id AS sourceId, last_line AS lastLine, account_id AS account
  FROM temp.tally JOIN account ON account.id = account_id JOIN source ON source.id = source_id
  WHERE arrived < records ORDER BY tally.place LIMIT ?`;

const UNSENT = `
  SELECT problem.code AS reason, count(*) AS accounts, sum(not_sent) AS rows
  FROM problem JOIN batch ON batch.id = batch_id JOIN temp.tally USING (account_id)
  WHERE not_sent > 0 AND problem.code IN (SELECT value FROM json_each(?)) GROUP BY 1 ORDER BY 3 DESC`;

/** The first error of a record. The refusal of a whole request is reported at its first row only, and is the error of each of its records. */
const errorOf = (db: RunDatabase, record: object): KeptProblem | undefined =>
  firstRow<KeptProblem>(db, `${PROBLEMS_AT} AND severity = 'error' ORDER BY line, id`, record) ??
  firstRow<KeptProblem>(
    db,
    `SELECT document, unhidden FROM problem WHERE severity = 'error' AND batch_id = (
       SELECT id FROM batch WHERE account_id = @account AND first_seq <= @seq ORDER BY first_seq DESC LIMIT 1) ORDER BY id`,
    record,
  );

/** The first accounts that did not finish, each with the error of its first record that did not arrive. */
function unfinishedOf(db: RunDatabase, view: ReportView): readonly UnfinishedAccount[] {
  type Own = Readonly<Record<'seq' | 'sourceId' | 'lastLine' | 'account', number>>;
  const listed = allRows<Omit<UnfinishedAccount, 'error'> & Own>(db, UNFINISHED, LISTED_UNFINISHED);
  db.transaction(() => db.exec(PROBLEM_INDEXES))();
  return listed.map(({ seq, sourceId, lastLine, account, ...found }) => {
    const error = errorOf(db, { seq, sourceId, firstLine: found.line, lastLine, account });
    return { ...found, error: error ? problemIn(error, view) : null };
  });
}

/** The decisions that are about rows, and those that gave and withdrew no outcome. */
const decisionsSql = (rows: string): string => `
  WITH own AS (SELECT seq FROM ${rows}), decided AS (
    SELECT link.id AS link, at, by, iif(kind = 'confirmed', json_extract(document, '$.verdict'), 'again') AS kind,
      json_extract(document, '$.ledger') AS ledger, link.outcomes
    FROM event JOIN link ON event_id = event.id
    WHERE kind = 'confirmed' OR (kind = 'planned_again' AND json_extract(document, '$.again')))
  SELECT at, by, kind, ledger, rows FROM (
    SELECT *, max((SELECT count(*) FROM past_outcome WHERE until_id = link AND seq IN own),
      (SELECT count(*) FROM outcome WHERE link_id = link AND seq IN own)) AS rows FROM decided)
  WHERE rows > 0 OR outcomes = 0 ORDER BY link`;

/**
 * The figures that a report of a migration has beside those of the run. Everything is counted by the database, so a run of any size takes the
 * same memory.
 */
export function measuresOf(db: RunDatabase, number: number, view: ReportView): RunMeasures {
  const rows = rowsOf(db, number);
  db.exec(tallySql(rows));
  const accounts = firstRow<Pick<RunMeasures, 'accounts' | 'unfinishedTotal'>>(
    db,
    'SELECT count(*) AS accounts, coalesce(sum(arrived < records), 0) AS unfinishedTotal FROM temp.tally',
  )!;
  return {
    ...accounts,
    unfinished: unfinishedOf(db, view),
    unsent: allRows<UnsentGroup>(db, UNSENT, JSON.stringify(UNSENT_REASONS)),
    sent: firstRow<RunMeasures['sent']>(
      db,
      `SELECT min(started_at) AS first, max(coalesce(ended_at, started_at)) AS last FROM ${attemptsOf(db, number)}`,
    )!,
    decisions: allRows<Decision>(db, decisionsSql(rows)),
  };
}
