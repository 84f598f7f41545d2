import { preciseInstantOfClock } from '../../core/values/instant.ts';
import type { MigrationReport, ReportRows } from './page/migration-report.ts';
import type { Timeline } from '../push/ports/measures.ts';

/** How long sending took, and how fast it was. */
export function sendingOf(timeline: Timeline, rows: ReportRows): MigrationReport['sending'] {
  const { firstMs, endMs, bucketMs, buckets } = timeline;
  const durationMs = Math.max(endMs - firstMs, 0);
  const settled = rows.created + rows.existing + rows.uncompared + rows.verify + rows.rejected;
  const perBucket = buckets.map(({ outcomes }) => Object.values(outcomes).reduce((all, n) => all + n, 0));
  // A time shorter than a span would make the busiest span slower than the mean.
  const spanMs = Math.max(Math.min(bucketMs, durationMs), 1);
  const mean = perSecond(settled, Math.max(durationMs, 1));
  return {
    first_request_at: preciseInstantOfClock(firstMs),
    last_answer_at: preciseInstantOfClock(endMs),
    duration_ms: durationMs,
    records_per_second: mean,
    busiest_records_per_second: Math.max(mean, perSecond(Math.max(0, ...perBucket), spanMs)),
  };
}

const perSecond = (records: number, ms: number): number => Math.round((records * 10_000) / ms) / 10;

export function timelineDocument({ startMs, bucketMs, buckets }: Timeline): MigrationReport['timeline'] {
  return {
    start_at: preciseInstantOfClock(startMs),
    bucket_ms: bucketMs,
    buckets: buckets.map(({ at, outcomes, failed }) => ({
      after_ms: at * bucketMs,
      ...outcomes,
      failed_attempts: failed,
    })),
  };
}

/**
 * Percentiles of the times from request to answer, exactly and of all commands that sent the runs. `SendingFigures` of a push
 * are of one command and need no run file. `counts`: milliseconds and how often they occurred, the shortest first.
 */
export function answerTimeFigures(
  counts: readonly (readonly [ms: number, count: number])[],
): MigrationReport['latency'] {
  const answers = counts.reduce((all, [, count]) => all + count, 0);
  if (answers === 0) return null;
  const percentile = (percent: number): number => {
    let rest = Math.ceil((answers * percent) / 100);
    return counts.find(([, count]) => (rest -= count) <= 0)![0];
  };
  return {
    answers,
    p50_ms: percentile(50),
    p90_ms: percentile(90),
    p95_ms: percentile(95),
    p99_ms: percentile(99),
    max_ms: counts.at(-1)![0],
  };
}
