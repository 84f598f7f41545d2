import { clockOfInstant } from '../../core/values/instant.ts';
import type { AttemptTiming } from '../push/ports/attempt-timing.ts';
import type { AttemptGroup, RunMeasures, SentAttempt } from '../push/ports/measures.ts';
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

/** All attempts, in the order in which they began. */
export function sentAttemptsOf(db: RunDatabase): IterableIterator<SentAttempt> {
  return db
    .prepare<[], SentAttempt>(
      `SELECT id, batch_id AS batch, started_at AS startedAt, ended_at AS endedAt, status, result
       FROM attempt ORDER BY id`,
    )
    .iterate();
}

export function hasAttempts(db: RunDatabase): boolean {
  return db.prepare('SELECT EXISTS (SELECT 1 FROM attempt)').pluck().get() === 1;
}

/** Attempts of requests so far. */
export function attemptsSoFar(db: RunDatabase): number {
  return db.prepare<[], number>('SELECT count(*) FROM attempt').pluck().get()!;
}

/** When the first request was sent and the last answer came, in milliseconds since 1970; null when nothing was sent. */
export function sendingTimesOf(db: RunDatabase): { readonly firstMs: number; readonly endMs: number } | null {
  const { first, last } = db
    .prepare<[], { first: string | null; last: string | null }>(
      'SELECT min(started_at) AS first, max(coalesce(ended_at, started_at)) AS last FROM attempt',
    )
    .get()!;
  return first === null || last === null
    ? null
    : { firstMs: clockOfInstant(first), endMs: clockOfInstant(last) };
}

/** Attempts by status and result, the most frequent first. */
export function attemptGroupsOf(db: RunDatabase): readonly AttemptGroup[] {
  return db
    .prepare<[], AttemptGroup>(
      `SELECT status, coalesce(result, 'open') AS result, count(*) AS count FROM attempt
       GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2`,
    )
    .all();
}

/** See `RunMeasures`. A clock that was set back must not give a negative time. */
export function answerTimesOf(db: RunDatabase): RunMeasures['answerTimes'] {
  return countedPairs(
    db,
    `SELECT max(0, CAST(round((unixepoch(ended_at, 'subsec') - unixepoch(started_at, 'subsec')) * 1000) AS INTEGER)),
       count(*)
     FROM attempt WHERE status IS NOT NULL AND ended_at IS NOT NULL GROUP BY 1 ORDER BY 1`,
  );
}

/** See `RunMeasures`. */
export function attemptsOfRequestsOf(db: RunDatabase): RunMeasures['attemptsOfRequests'] {
  return countedPairs(
    db,
    'SELECT n, count(*) FROM (SELECT count(*) AS n FROM attempt GROUP BY batch_id) GROUP BY 1 ORDER BY 1',
  );
}

function countedPairs(db: RunDatabase, sql: string): readonly (readonly [number, number])[] {
  return db.prepare(sql).raw().all() as [number, number][];
}
