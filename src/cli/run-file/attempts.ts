import { clockOfInstant } from '../../core/values/instant.ts';
import type { AttemptTiming } from '../push/ports/attempt-timing.ts';
import type { RunDatabase } from './run-database.ts';

/** Every attempt that has an end, in the order of the claims. An attempt whose process died has none: its end is not known. */
export function attemptTimingsOf(db: RunDatabase): readonly AttemptTiming[] {
  const rows = db
    .prepare<[], { batch: number; records: number; started: string; ended: string; result: string | null }>(
      `SELECT batch_id AS batch, started_at AS started, ended_at AS ended, result,
         (SELECT count(*) FROM record WHERE record.state = 'valid' AND record.account_id = batch.account_id
            AND record.seq BETWEEN first_seq AND last_seq) AS records
       FROM attempt JOIN batch ON batch.id = batch_id
       WHERE ended_at IS NOT NULL AND reason IS NOT 'the process ended' AND reason IS NOT 'not begun'
       ORDER BY attempt.id`,
    )
    .all();
  return rows.map(({ batch, records, started, ended, result }) => ({
    batch,
    records,
    startedMs: clockOfInstant(started),
    endedMs: clockOfInstant(ended),
    isSettled: result === 'settled' || result === 'first_doubt',
  }));
}
