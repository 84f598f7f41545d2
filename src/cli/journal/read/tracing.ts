import { UNSENT_REASONS, type ReportView } from '../../push/ports/report.ts';
import type { TraceChoice, TracedAttempt, TracedRecord } from '../../push/ports/trace.ts';
import { problemIn, PROBLEMS_AT, type KeptProblem } from './problems.ts';
import { END_OF_ROW, ofBatch, rowsOf, WITH_PAST_ATTEMPTS } from '../database/outcome-sql.ts';
import { allRows } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';

type Row = Omit<TracedRecord, 'attempts' | 'problems'> & {
  readonly total: number;
  readonly batch: number | null;
} & Readonly<Record<'seq' | 'sourceId' | 'accountId', number | null>>;

/** The first 100 records that are chosen, in file order, and the number of all. */
export function traced(
  db: RunDatabase,
  number: number,
  { line = null, account = null }: { readonly [K in keyof TraceChoice]: TraceChoice[K] | null },
  view: ReportView,
): { total: number; records: readonly TracedRecord[] } {
  const rows = allRows<Row>(
    db,
    `SELECT count(*) OVER () AS total, record.seq, source_id AS sourceId, account_id AS accountId, source.name AS file, first_line AS line,
       last_line, cause, nullif(cause_place, '') AS place, iif(record.state IN ('changed', 'moved'), record.state, ${END_OF_ROW}) AS outcome,
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
