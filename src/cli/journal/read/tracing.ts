import { UNSENT_REASONS, type ReportView } from '../../push/ports/report.ts';
import type { TraceChoice, TracedAttempt, TracedRecord } from '../../push/ports/trace.ts';
import { problemIn, PROBLEMS_AT, type KeptProblem } from './problems.ts';
import { END_OF_ROW, rowsOf, WITH_PAST_ATTEMPTS } from '../database/outcome-sql.ts';
import { valueOf } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** Records that are traced at most. */
const TRACED = 100;

/** The first `TRACED` records that are chosen, in file order, and the number of all. */
export function traced(
  db: RunDatabase,
  number: number,
  { line = null, account = null }: { readonly [K in keyof TraceChoice]: TraceChoice[K] | null },
  view: ReportView,
): { total: number; records: readonly TracedRecord[] } {
  const chosen = { line, account };
  const from = fromOf(db, number);
  const total = valueOf<number>(db, `SELECT count(*) ${from}`, chosen)!;
  const rows = db.prepare<[typeof chosen & { limit: number }], Row>(
    `SELECT record.seq, record.state, record.source, source_id AS sourceId, first_line AS line, last_line AS lastLine,
       import_supplier AS importSupplier, external_account_number AS account, record.id, type, record.amount, payload,
       lower(hex(payload_sha256)) AS payloadSha256, cause, nullif(cause_place, '') AS place,
       iif(record.state IN ('valid', 'pending', 'repeated'), ${END_OF_ROW}, NULL) AS outcome, origin,
       account_id AS accountId ${from} ORDER BY record.seq LIMIT @limit`,
  );
  const batchOf = db.prepare<[number, number], NonNullable<TracedRecord['batch']>>(
    `SELECT id, state, in_doubt AS inDoubt FROM batch WHERE account_id = ? AND first_seq <= ?
     ORDER BY first_seq DESC LIMIT 1`,
  );
  const attempts = db.prepare<[number], TracedAttempt>(ATTEMPTS);
  const problems = db.prepare<object, KeptProblem>(`${PROBLEMS_AT} ORDER BY line, id`);
  const unsent = db.prepare<[number, string], KeptProblem>(
    `SELECT document, unhidden FROM problem JOIN batch ON batch.id = batch_id
     WHERE account_id = ? AND code IN (SELECT value FROM json_each(?))`,
  );
  const records = rows.all({ ...chosen, limit: TRACED }).map(({ accountId, sourceId, ...row }) => {
    const isSent = row.state === 'valid' && accountId !== null;
    const batch = (isSent && batchOf.get(accountId, row.seq)) || null;
    const { seq, line: firstLine, lastLine } = row;
    const ofLines = problems.all({ seq, sourceId, firstLine, lastLine });
    // Why an account was not sent is kept at its first record, and is true of all.
    const ofAccount =
      row.outcome === 'not_sent' && isSent && ofLines.length === 0
        ? unsent.all(accountId, JSON.stringify(UNSENT_REASONS))
        : [];
    return {
      ...row,
      payloadSha256: row.payloadSha256 === '' ? null : row.payloadSha256,
      batch,
      attempts: batch ? attempts.all(batch.id) : [],
      problems: [...ofLines, ...ofAccount].map((kept) => problemIn(kept, view)),
    };
  });
  return { total, records };
}

type Row = Omit<TracedRecord, 'batch' | 'attempts' | 'problems'> & {
  readonly accountId: number | null;
  readonly sourceId: number;
};

const fromOf = (db: RunDatabase, number: number): string => `
  FROM ${rowsOf(db, number)} LEFT JOIN account ON account.id = account_id LEFT JOIN outcome USING (seq)
  WHERE (@line IS NULL OR @line BETWEEN first_line AND last_line)
    AND (@account IS NULL OR external_account_number = @account)`;

const ATTEMPTS = `${WITH_PAST_ATTEMPTS}
  SELECT batch_id AS batch, started_at AS startedAt, ended_at AS endedAt, status, result, reason FROM past ORDER BY id`;
