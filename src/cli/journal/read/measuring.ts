import {
  LISTED_UNFINISHED,
  type Decision,
  type RunMeasures,
  type UnfinishedAccount,
  type UnsentGroup,
} from '../../push/ports/measures.ts';
import {
  UNSENT_REASONS,
  type LocatedProblem,
  type ReportView,
  type RunReport,
} from '../../push/ports/report.ts';
import { sendingTimesOf } from './reporting.ts';
import { errorFinder, problemIn, problemsOf, type RowOfRecord } from './problems.ts';
import { ARRIVED_SQL, END_OF_ROW, rowsOf } from '../database/outcome-sql.ts';
import { allRows, firstRow } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** Whether a row is on the platform. */
const ARRIVED = `${END_OF_ROW} IN ${ARRIVED_SQL}`;

/**
 * Each account with its records and the first of them that did not arrive, as a temporary table, because several questions are asked of it.
 * SQLite takes the columns beside the only min() from the row that has it.
 */
const tallySql = (rows: string): string => `
  DROP TABLE IF EXISTS temp.tally;
  CREATE TEMP TABLE tally AS
  SELECT *, records - arrived - rejected - verify - unknown - conflicting AS not_sent FROM (
    SELECT account_id, count(*) AS records, sum(${ARRIVED}) AS arrived, sum(${END_OF_ROW} = 'rejected') AS rejected,
      sum(${END_OF_ROW} = 'verify') AS verify, sum(${END_OF_ROW} = 'unknown') AS unknown,
      sum(record.state IN ('changed', 'moved')) AS conflicting,
      min(iif(${ARRIVED}, NULL, record.place)) AS place, seq, source_id AS sourceId, first_line AS line, last_line AS lastLine
    FROM ${rows} LEFT JOIN outcome USING (seq) WHERE record.state NOT IN ('invalid', 'filtered') GROUP BY account_id)`;

const UNFINISHED = `
  SELECT import_supplier, external_account_number, source.name AS file, line, records, arrived, rejected, verify, unknown, conflicting,
    not_sent, seq, sourceId, lastLine, account_id AS account
  FROM temp.tally JOIN account ON account.id = account_id JOIN source ON source.id = sourceId
  WHERE arrived < records ORDER BY tally.place LIMIT ?`;

const UNSENT = `
  SELECT problem.code AS reason, count(*) AS accounts, sum(not_sent) AS rows
  FROM problem JOIN batch ON batch.id = batch_id JOIN temp.tally USING (account_id)
  WHERE not_sent > 0 AND problem.code IN (SELECT value FROM json_each(?)) GROUP BY 1 ORDER BY 3 DESC`;

/** The first accounts that did not finish, each with the error of its first record that did not arrive. */
function unfinishedOf(db: RunDatabase, view: ReportView): readonly UnfinishedAccount[] {
  type Listed = Omit<UnfinishedAccount, 'error'> & Omit<RowOfRecord, 'firstLine'>;
  const listed = db.prepare<[number], Listed>(UNFINISHED).all(LISTED_UNFINISHED);
  const errorsOf = listed.length === 0 ? () => [] : errorFinder(db);
  return listed.map(({ seq, sourceId, lastLine, account, ...found }) => {
    const [error] = errorsOf({ seq, sourceId, firstLine: found.line, lastLine, account });
    return { ...found, error: error === undefined ? null : problemIn(error, view) };
  });
}

const invalidRows = (rows: string): string => `
  SELECT count(*) AS rows, count(amount) AS readable, decimal_sum(amount) AS sum FROM ${rows} WHERE state = 'invalid'`;

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

type RefusedRecords = Pick<LocatedProblem, 'code' | 'file' | 'header'> & { readonly records: number };

/** The records of each cause of refusals. A request with one error was refused as a whole. */
const refusedRecords = (problems: string): string => `
  SELECT code, file, header, sum(records) AS records FROM (
    SELECT problem.code, source.name AS file, problem.header,
      iif(count(*) OVER (PARTITION BY batch_id) > 1, 1, max(1, (
        SELECT count(*) FROM batch JOIN record ON record.account_id = batch.account_id AND record.seq BETWEEN first_seq AND last_seq
        JOIN outcome ON outcome.seq = record.seq AND outcome.outcome = 'rejected' WHERE batch.id = problem.batch_id))) AS records
    FROM ${problems} JOIN source ON source.id = problem.source_id WHERE batch_id IS NOT NULL AND severity = 'error')
  GROUP BY 1, 2, 3`;

const causeOf = ({ code, file, header }: Pick<LocatedProblem, 'code' | 'file' | 'header'>): string =>
  JSON.stringify([code, file, header]);

/**
 * The figures that a report of a migration has beside those of the run. Everything is counted by the database, so a run of any size takes the
 * same memory.
 */
export function measuresOf(
  db: RunDatabase,
  number: number,
  { errorGroups, warningGroups }: RunReport,
  view: ReportView,
): RunMeasures {
  const rows = rowsOf(db, number);
  db.exec(tallySql(rows));
  const accounts = firstRow<Pick<RunMeasures, 'accounts' | 'unfinishedTotal'>>(
    db,
    'SELECT count(*) AS accounts, coalesce(sum(arrived < records), 0) AS unfinishedTotal FROM temp.tally',
  )!;
  const causes = allRows<RefusedRecords>(db, refusedRecords(problemsOf(db, number)));
  const refused = new Map(causes.map((cause) => [causeOf(cause), cause.records]));
  return {
    ...accounts,
    unfinished: unfinishedOf(db, view),
    unsent: allRows<UnsentGroup>(db, UNSENT, JSON.stringify(UNSENT_REASONS)),
    sent: sendingTimesOf(db, number),
    decisions: allRows<Decision>(db, decisionsSql(rows)),
    invalidRows: firstRow<RunMeasures['invalidRows']>(db, invalidRows(rows))!,
    problemGroups: [...errorGroups, ...warningGroups].map((group) => ({
      ...group,
      // A platform may refuse with the code of a warning.
      records: (group.first.severity === 'error' && refused.get(causeOf(group.first))) || group.count,
    })),
  };
}
