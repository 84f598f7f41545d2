import { OUTCOME_OF_RECORD } from './outcome-sql.ts';
import { valuesOf } from './queries.ts';
import type { RunDatabase } from './run-database.ts';

/** Two conditions, because each has an index. */
export const IS_OPEN = `(batch.state IN ('planned', 'sent') OR batch.state IN ('held', 'rejected'))`;

/** Records that may be on the platform and have no outcome. */
export function doubtfulIn(db: RunDatabase): readonly number[] {
  return valuesOf<number>(
    db,
    `SELECT record.seq FROM batch JOIN record ON record.account_id = batch.account_id AND record.seq BETWEEN first_seq AND last_seq
       LEFT JOIN outcome USING (seq)
       WHERE ${IS_OPEN} AND (batch.state = 'sent' OR in_doubt = 1) AND record.state = 'valid' AND ${OUTCOME_OF_RECORD} = 'unknown'`,
  );
}
