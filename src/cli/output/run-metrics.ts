import type { Resource } from '../../core/contract/resources.ts';
import type { AtOnce, PushEvent } from '../push/events.ts';
import type { SettledOutcome } from '../push/ports/report.ts';
import type { Shard } from '../push/ports/run.ts';
import { RunCourse } from './run-course.ts';

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
    const one = (value: number | undefined): readonly Sample[] => (value === undefined ? [] : [['', value]]);
    const leftMs = course.leftMs(monotonicMs);
    return [
      this.metric('stage', 'gauge', {
        help: '1 for what the command is doing.',
        samples: STAGES.map((stage) => [`,stage="${stage}"`, stage === course.stage ? 1 : 0]),
      }),
      this.metric('rows_read', 'gauge', { help: 'Rows read from the files.', samples: one(course.read) }),
      this.metric('rows_invalid', 'gauge', { help: 'Rows with errors.', samples: one(course.invalid) }),
      this.metric('records_planned', 'gauge', {
        help: 'Records of the run, those of earlier commands included.',
        samples: one(course.planned),
      }),
      this.metric('records_settled_total', 'counter', {
        help: 'Records with an outcome, by outcome.',
        samples: OUTCOMES.map((outcome) => [`,outcome="${outcome}"`, course.outcomes[outcome]]),
      }),
      this.metric('problems_total', 'counter', {
        help: 'Problems while sending, by code.',
        samples: [...course.causes].map(([code, count]) => [`,code="${escaped(code)}"`, count]),
      }),
      this.metric('requests_total', 'counter', {
        help: 'Requests of this command that were answered or lost.',
        samples: one(course.requests),
      }),
      this.metric('retries_total', 'counter', {
        help: 'Requests that were tried again.',
        samples: one(course.retries),
      }),
      this.metric('records_per_second', 'gauge', {
        help: 'Records settled in a second, by the last minutes.',
        samples: one(course.rowsPerSecond(monotonicMs)),
      }),
      this.metric('requests_per_second', 'gauge', {
        help: 'Requests in a second, by the last minutes.',
        samples: one(course.requestsPerSecond(monotonicMs)),
      }),
      this.metric('left_seconds', 'gauge', {
        help: 'Time left, by the rate of the last minutes.',
        samples: one(leftMs === undefined ? undefined : leftMs / 1_000),
      }),
      this.metric('requests_at_once', 'gauge', {
        help: 'Requests in flight at the last answer.',
        samples: one(atOnce?.inFlight),
      }),
      this.metric('requests_at_once_limit', 'gauge', {
        help: 'How many requests may be in flight now.',
        samples: one(atOnce?.limit),
      }),
      this.metric('requests_at_once_held', 'gauge', {
        help: '1 for why no more requests are in flight.',
        samples: atOnce
          ? HELD_BY.map((because) => [`,because="${because}"`, because === atOnce.because ? 1 : 0])
          : [],
      }),
      this.metric('platform_waiting', 'gauge', {
        help: '1 while the platform asks to wait or keeps failing.',
        samples: one(course.isWaiting ? 1 : 0),
      }),
      this.metric('accounts_waited_for', 'gauge', {
        help: 'Accounts that are not imported yet and are waited for.',
        samples: one(course.waitedFor),
      }),
      this.metric('started_timestamp_seconds', 'gauge', {
        help: 'When the command began.',
        samples: one(this.startedMs / 1_000),
      }),
      this.metric('updated_timestamp_seconds', 'gauge', {
        help: 'When this file was written.',
        samples: one(nowMs / 1_000),
      }),
    ].join('');
  }

  private metric(
    name: string,
    type: 'gauge' | 'counter',
    { help, samples }: { help: string; samples: readonly Sample[] },
  ): string {
    if (samples.length === 0) return '';
    const lines = samples.map(([labels, value]) => `dataimport_${name}{${this.labels}${labels}} ${value}\n`);
    return `# HELP dataimport_${name} ${help}\n# TYPE dataimport_${name} ${type}\n${lines.join('')}`;
  }
}

/** Further labels and a value. */
type Sample = readonly [labels: string, value: number];

/** The value of a label, as the text format quotes it. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
