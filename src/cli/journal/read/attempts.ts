import { clockOfInstant } from '../../../core/values/instant.ts';
import type { SendingTimes } from '../../push/ports/measures.ts';
import { isOfReading } from '../database/outcome-sql.ts';
import { firstRow, valueOf } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';

export const attemptsSoFar = (db: RunDatabase, number: number): number =>
  valueOf<number>(db, `SELECT count(*) FROM ${attemptsOf(db, number)}`)!;

/** The attempts at requests with records of a reading, as the table `attempt`. */
export function attemptsOf(db: RunDatabase, number: number): string {
  const isOf = isOfReading(db, number);
  if (isOf === 'TRUE') return 'attempt';
  return `(SELECT attempt.* FROM attempt JOIN batch ON batch.id = batch_id WHERE ${isOf}) AS attempt`;
}

/** Null when nothing was sent. */
export function sendingTimesOf(db: RunDatabase, number: number): SendingTimes | null {
  const { first, last } = firstRow<Record<'first' | 'last', string | null>>(
    db,
    `SELECT min(started_at) AS first, max(coalesce(ended_at, started_at)) AS last FROM ${attemptsOf(db, number)}`,
  )!;
  return first === null ? null : { firstMs: clockOfInstant(first), endMs: clockOfInstant(last!) };
}
