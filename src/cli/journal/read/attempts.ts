import { clockOfInstant } from '../../../core/values/instant.ts';
import type { AttemptGroup, RunMeasures, SentAttempt } from '../../push/ports/measures.ts';
import { isOfReading } from '../database/outcome-sql.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** All attempts, in the order in which they began. */
export function sentAttemptsOf(db: RunDatabase, number: number): IterableIterator<SentAttempt> {
  return db
    .prepare<[], SentAttempt>(
      `SELECT id, batch_id AS batch, started_at AS startedAt, ended_at AS endedAt, status, result
       FROM ${attemptsOf(db, number)} ORDER BY id`,
    )
    .iterate();
}

export function attemptsSoFar(db: RunDatabase, number: number): number {
  return db
    .prepare<[], number>(`SELECT count(*) FROM ${attemptsOf(db, number)}`)
    .pluck()
    .get()!;
}

/** The attempts at requests with records of a reading, as the table `attempt`. */
export function attemptsOf(db: RunDatabase, number: number): string {
  const isOf = isOfReading(db, number);
  if (isOf === 'TRUE') return 'attempt';
  return `(SELECT attempt.* FROM attempt JOIN batch ON batch.id = batch_id WHERE ${isOf}) AS attempt`;
}

/** When the first request was sent and the last answer came, in milliseconds since 1970; null when nothing was sent. */
export function sendingTimesOf(db: RunDatabase, number: number): { firstMs: number; endMs: number } | null {
  const { first, last } = db
    .prepare<[], { first: string | null; last: string | null }>(
      `SELECT min(started_at) AS first, max(coalesce(ended_at, started_at)) AS last FROM ${attemptsOf(db, number)}`,
    )
    .get()!;
  return first === null ? null : { firstMs: clockOfInstant(first), endMs: clockOfInstant(last!) };
}

/** Attempts by status and result, the most frequent first. */
export function attemptGroupsOf(db: RunDatabase, number: number): readonly AttemptGroup[] {
  return db
    .prepare<[], AttemptGroup>(
      `SELECT status, coalesce(result, 'open') AS result, count(*) AS count FROM ${attemptsOf(db, number)}
       GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2`,
    )
    .all();
}

/** See `RunMeasures`. A clock that was set back must not give a negative time. */
export function answerTimesOf(db: RunDatabase, number: number): RunMeasures['answerTimes'] {
  return countedPairs(
    db,
    `SELECT max(0, CAST(round((unixepoch(ended_at, 'subsec') - unixepoch(started_at, 'subsec')) * 1000) AS INTEGER)),
       count(*)
     FROM ${attemptsOf(db, number)} WHERE status IS NOT NULL AND ended_at IS NOT NULL GROUP BY 1 ORDER BY 1`,
  );
}

/** See `RunMeasures`. */
export function attemptsOfRequestsOf(db: RunDatabase, number: number): RunMeasures['attemptsOfRequests'] {
  return countedPairs(
    db,
    `SELECT n, count(*) FROM (SELECT count(*) AS n FROM ${attemptsOf(db, number)} GROUP BY batch_id) GROUP BY 1 ORDER BY 1`,
  );
}

function countedPairs(db: RunDatabase, sql: string): readonly (readonly [number, number])[] {
  return db.prepare(sql).raw().all() as [number, number][];
}
