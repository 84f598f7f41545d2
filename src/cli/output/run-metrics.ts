import type { Resource } from '../../core/contract/resources.ts';
import type { PushEvent } from '../push/events.ts';
import type { SettledOutcome } from '../push/ports/report.ts';
import type { Shard } from '../push/ports/run.ts';

/** The labels of every metric, so that several processes of one machine can be read together. */
export interface MetricLabels {
  /** `all` for the resources of a cohort together. */
  readonly resource: Resource | 'all';
  readonly shard: Shard | undefined;
}

/** Outcomes in the order in which they are written. All are written, because a metric that appears later looks like a jump. */
const OUTCOMES: readonly SettledOutcome[] = ['created', 'existing', 'verify', 'rejected'];

const STAGES = ['reading', 'sending', 'stopping', 'ended'] as const;

/** The events of a run as metrics, in the text format of Prometheus. */
export class RunMetrics {
  private readonly labels: string;
  private readonly startedMs: number;
  private stage: (typeof STAGES)[number] = 'reading';
  private read = 0;
  private invalid = 0;
  private planned = 0;
  private retried = 0;
  private readonly settled = { created: 0, existing: 0, verify: 0, rejected: 0 };
  private atOnce: number | undefined;
  private isPaused = false;
  private isDown = false;

  /** `startedMs`: milliseconds since 1970. */
  constructor({ resource, shard }: MetricLabels, startedMs: number) {
    const part = shard ? `${shard.index}/${shard.count}` : '1/1';
    this.labels = `resource="${resource}",shard="${part}"`;
    this.startedMs = startedMs;
  }

  apply(event: PushEvent): void {
    switch (event.kind) {
      case 'staging':
        this.read = event.rows;
        this.invalid = event.invalid;
        return;
      case 'planned':
        this.stage = 'sending';
        this.planned = event.records;
        this.add(event.settled ?? {});
        for (const count of Object.values(event.settled ?? {})) this.planned += count;
        return;
      case 'settled':
        return this.add(event.outcomes);
      case 'retry':
        this.retried++;
        return;
      case 'slowed':
      case 'eased':
        this.atOnce = event.to;
        return;
      case 'paused':
      case 'resumed':
        this.isPaused = event.kind === 'paused';
        return;
      case 'outage':
      case 'recovered':
        this.isDown = event.kind === 'outage';
        return;
      case 'stopping':
        this.stage = 'stopping';
        return;
      default:
        event satisfies never;
    }
  }

  end(): void {
    this.stage = 'ended';
  }

  /** `nowMs`: milliseconds since 1970. */
  text(nowMs: number): string {
    const one = (value: number): readonly Sample[] => [['', value]];
    return [
      this.metric('stage', 'gauge', {
        help: '1 for what the command is doing.',
        samples: STAGES.map((stage) => [`,stage="${stage}"`, stage === this.stage ? 1 : 0]),
      }),
      this.metric('rows_read', 'gauge', { help: 'Rows read from the files.', samples: one(this.read) }),
      this.metric('rows_invalid', 'gauge', { help: 'Rows with errors.', samples: one(this.invalid) }),
      this.metric('records_planned', 'gauge', {
        help: 'Records of the run, those of earlier commands included.',
        samples: one(this.planned),
      }),
      this.metric('records_settled_total', 'counter', {
        help: 'Records with an outcome, by outcome.',
        samples: OUTCOMES.map((outcome) => [`,outcome="${outcome}"`, this.settled[outcome]]),
      }),
      this.metric('retries_total', 'counter', {
        help: 'Requests that were tried again.',
        samples: one(this.retried),
      }),
      this.metric('requests_at_once', 'gauge', {
        help: 'Requests at once, since the platform first changed the number.',
        samples: this.atOnce === undefined ? [] : one(this.atOnce),
      }),
      this.metric('platform_waiting', 'gauge', {
        help: '1 while the platform asks to wait or keeps failing.',
        samples: one(this.isPaused || this.isDown ? 1 : 0),
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

  private add(outcomes: Readonly<Partial<Record<SettledOutcome, number>>>): void {
    for (const outcome of OUTCOMES) this.settled[outcome] += outcomes[outcome] ?? 0;
  }

  private metric(
    name: string,
    type: 'gauge' | 'counter',
    { help, samples }: { readonly help: string; readonly samples: readonly Sample[] },
  ): string {
    if (samples.length === 0) return '';
    const lines = samples.map(([labels, value]) => `dataimport_${name}{${this.labels}${labels}} ${value}\n`);
    return `# HELP dataimport_${name} ${help}\n# TYPE dataimport_${name} ${type}\n${lines.join('')}`;
  }
}

/** Further labels and a value. */
type Sample = readonly [labels: string, value: number];
