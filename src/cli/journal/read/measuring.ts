import type { RunMeasures, UnsentGroup } from '../../push/ports/measures.ts';
import { UNSENT_REASONS } from '../../push/ports/report.ts';
import { ARRIVED_SQL, END_OF_ROW, rowsOf } from '../database/outcome-sql.ts';
import { allRows, firstRow } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** Each account with its records, as a temporary table, because several questions are asked of it. */
const tallySql = (rows: string): string => `
  DROP TABLE IF EXISTS temp.tally;
  CREATE TEMP TABLE tally AS
  SELECT account_id, count(*) AS records, sum("end" IN ${ARRIVED_SQL}) AS arrived, sum("end" = 'not_sent') AS not_sent
  FROM (SELECT account_id, ${END_OF_ROW} AS "end" FROM ${rows} LEFT JOIN outcome USING (seq)
    WHERE record.state NOT IN ('invalid', 'filtered'))
  GROUP BY account_id`;

const UNSENT = `
  SELECT problem.code AS reason, count(*) AS accounts, sum(not_sent) AS rows
  FROM problem JOIN batch ON batch.id = batch_id JOIN temp.tally USING (account_id)
  WHERE not_sent > 0 AND problem.code IN (SELECT value FROM json_each(?)) GROUP BY 1 ORDER BY 3 DESC`;

/** The figures of accounts. Everything is counted by the database, so files of any size take the same memory. */
export function measuresOf(db: RunDatabase, number: number): RunMeasures {
  db.exec(tallySql(rowsOf(db, number)));
  const accounts = firstRow<Omit<RunMeasures, 'unsent'>>(
    db,
    'SELECT count(*) AS accounts, coalesce(sum(arrived < records), 0) AS unfinished FROM temp.tally',
  )!;
  return { ...accounts, unsent: allRows<UnsentGroup>(db, UNSENT, JSON.stringify(UNSENT_REASONS)) };
}
