import type { Resource } from '../../core/contract/resources.ts';
import type { AtOnce, PushEvent } from '../push/events.ts';
import type { SettledOutcome } from '../push/ports/report.ts';
import type { Shard } from '../push/ports/run.ts';
import { RunCourse } from '../output/progress/run-course.ts';

/** The labels of every metric, so that several processes of one machine can be read together. */
export interface MetricLabels {
  /** `all` for the resources of a cohort together. */
  readonly resource: Resource | 'all';
  readonly shard: Shard | undefined;
}

/** Outcomes in the order in which they are written. All are written, because a metric that appears later looks like a jump. */
const OUTCOMES: readonly SettledOutcome[] = ['created', 'existing', 'uncompared', 'verify', 'rejected'];

const STAGES = ['reading', 'sending', 'stopping', 'ended'] as const;

const HELD_BY: readonly AtOnce['because'][] = ['most', 'growing', 'throttled', 'rate', 'accounts'];

/** The events of a run as metrics, in the text format of Prometheus. */
export class RunMetrics {
  private readonly labels: string;
  private readonly startedMs: number;
  private readonly course = new RunCourse();

  /** `startedMs`: milliseconds since 1970. */
  constructor({ resource, shard }: MetricLabels, startedMs: number) {
    const part = shard ? `${shard.index}/${shard.count}` : '1/1';
    this.labels = `resource="${resource}",shard="${part}"`;
    this.startedMs = startedMs;
  }

  /** `monotonicMs`: by the monotonic clock. */
  apply(event: PushEvent, monotonicMs: number): void {
    this.course.apply(event, monotonicMs);
  }

  end(): void {
    this.course.stage = 'ended';
  }

  /** `nowMs`: milliseconds since 1970. `monotonicMs`: the same moment by the monotonic clock. */
  text(nowMs: number, monotonicMs: number): string {
    const { course } = this;
    const { atOnce } = course;
    const leftMs = course.leftMs(monotonicMs);
    const metrics: readonly Metric[] = [
      ['stage', '1 for what the command is doing.', oneOf('stage', STAGES, course.stage)],
      ['rows_read', 'Rows read from the files.', course.read],
      ['rows_invalid', 'Rows with errors.', course.invalid],
      ['records_planned', 'Records of the run, those of earlier commands included.', course.planned],
      [
        'records_settled_total',
        'Records with an outcome, by outcome.',
        OUTCOMES.map((outcome) => [`,outcome="${outcome}"`, course.outcomes[outcome]]),
      ],
      [
        'problems_total',
        'Problems while sending, by code.',
        [...course.causes].map(([code, count]) => [`,code="${escaped(code)}"`, count]),
      ],
      ['requests_total', 'Requests of this command that were answered or lost.', course.requests],
      ['retries_total', 'Requests that were tried again.', course.retries],
      [
        'records_per_second',
        'Records settled in a second, by the last minutes.',
        course.rowsPerSecond(monotonicMs),
      ],
      [
        'requests_per_second',
        'Requests in a second, by the last minutes.',
        course.requestsPerSecond(monotonicMs),
      ],
      ['left_seconds', 'Time left, by the rate of the last minutes.', leftMs && leftMs / 1_000],
      ['requests_at_once', 'Requests in flight at the last answer.', atOnce?.inFlight],
      ['requests_at_once_limit', 'How many requests may be in flight now.', atOnce?.limit],
      [
        'requests_at_once_held',
        '1 for why no more requests are in flight.',
        atOnce && oneOf('because', HELD_BY, atOnce.because),
      ],
      ['platform_waiting', '1 while the platform asks to wait or keeps failing.', course.isWaiting ? 1 : 0],
      ['accounts_waited_for', 'Accounts that are not imported yet and are waited for.', course.waitedFor],
      ['started_timestamp_seconds', 'When the command began.', this.startedMs / 1_000],
      ['updated_timestamp_seconds', 'When this file was written.', nowMs / 1_000],
    ];
    return metrics.map((metric) => this.lines(metric)).join('');
  }

  private lines([name, help, values = []]: Metric): string {
    const samples = typeof values === 'number' ? [['', values] as const] : values;
    if (samples.length === 0) return '';
    const lines = samples.map(([labels, value]) => `dataimport_${name}{${this.labels}${labels}} ${value}\n`);
    const type = name.endsWith('_total') ? 'counter' : 'gauge';
    return `# HELP dataimport_${name} ${help}\n# TYPE dataimport_${name} ${type}\n${lines.join('')}`;
  }
}

/** Further labels and a value. */
type Sample = readonly [labels: string, value: number];

/** A name that ends in `_total` belongs to a counter, any other to a gauge. Without a value the metric is not written. */
type Metric = readonly [name: string, help: string, values: number | readonly Sample[] | undefined];

/** A sample for each word: 1 for the one that is true. */
function oneOf(label: string, words: readonly string[], word: string): readonly Sample[] {
  return words.map((each) => [`,${label}="${each}"`, each === word ? 1 : 0]);
}

/** The value of a label, as the text format quotes it. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
