import type { ConcurrencyCourse, SendingFigures } from '../ports/sending.ts';

/** Each bucket ends at a time that is this much longer than the end of the bucket before it. */
const GROWTH = 1.05;

/** The end of the first bucket, in milliseconds. */
const SHORTEST_MS = 0.1;

/** Enough for 24 hours: a request that waits longer than `--timeout` has no answer. */
const BUCKETS = Math.ceil(Math.log(86_400_000 / SHORTEST_MS) / Math.log(GROWTH)) + 1;

/** Counts the answers of a run by their time, in constant memory. */
export class SendingMeter {
  private readonly buckets = new Float64Array(BUCKETS);
  private answers = 0;
  private records = 0;

  answered(tookMs: number): void {
    const bucket = Math.ceil(Math.log(Math.max(tookMs, SHORTEST_MS) / SHORTEST_MS) / Math.log(GROWTH));
    this.buckets[Math.min(bucket, BUCKETS - 1)]! += 1;
    this.answers++;
  }

  settled(records: number): void {
    this.records += records;
  }

  figures(sendingMs: number, concurrency: ConcurrencyCourse): SendingFigures {
    const { records, answers } = this;
    const tookMs =
      answers === 0 ? null : { p50: this.quantile(0.5), p95: this.quantile(0.95), p99: this.quantile(0.99) };
    return { sendingMs, records, answers, tookMs, concurrency };
  }

  /** The end of the bucket with the answer that is slower than this share of all. */
  private quantile(share: number): number {
    let left = Math.ceil(share * this.answers);
    const bucket = this.buckets.findIndex((count) => (left -= count) <= 0);
    return SHORTEST_MS * GROWTH ** bucket;
  }
}
