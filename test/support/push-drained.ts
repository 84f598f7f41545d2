import type { EventSink, PushEvent } from '../../src/cli/push/events.ts';
import { drain, type DrainEnd, type DrainPolicy } from '../../src/cli/push/send/drain.ts';
import type { Platform } from '../../src/cli/push/ports/platform.ts';
import { addsUp, type RunReport } from '../../src/cli/push/ports/report.ts';
import type { DrainRun } from '../../src/cli/push/ports/run.ts';
import type { Timing } from '../../src/cli/push/ports/timing.ts';
import type { Reading } from '../../src/cli/journal/reading.ts';
import { NOW } from './push-staged-run.ts';

/** A clock that only waits move on, and randomness that always returns the same number. */
export interface FakeTiming extends Timing {
  readonly waits: readonly number[];
}

export function fakeTiming(random = 0.5): FakeTiming {
  const waits: number[] = [];
  let nowMs = 1_795_000_000_000;
  return {
    waits,
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    sleep: async (waitMs) => {
      waits.push(waitMs);
      nowMs += waitMs;
    },
    random: () => random,
  };
}

/** Options of a drain that differ from those of a plain push. */
export interface DrainOptions extends Partial<Pick<DrainPolicy, 'onReject' | 'rate' | 'maxDuration'>> {
  readonly concurrency?: number;
  readonly retryForMs?: number;
  /** The database that the run goes to. Default: none is known. */
  readonly database?: string;
  readonly showValues?: boolean;
  readonly timing?: Timing;
  readonly stopping?: AbortSignal;
  readonly abort?: AbortSignal;
  readonly emit?: EventSink;
  /** Most rows that the platform may refuse. */
  readonly maxErrors?: number;
  /** Wraps the operations of the journal that the engine calls. */
  readonly through?: (operations: DrainRun) => DrainRun;
}

/** The end of a drain, with everything that it reported. */
export interface Drained {
  readonly end: DrainEnd;
  readonly report: RunReport;
  readonly events: readonly PushEvent[];
  readonly waits: readonly number[];
}

/** Drains a staged run as a push does. The rows of its report must add up. */
export async function drained(
  run: Reading,
  platform: Platform,
  options: DrainOptions = {},
): Promise<Drained> {
  const events: PushEvent[] = [];
  const timing = options.timing ?? fakeTiming();
  const { resource, options: requestOptions } = run.header;
  const { onReject, onExisting } = run.choice;
  const operations = run.draining(() => NOW);
  const delivery = {
    resource,
    options: requestOptions,
    acceptsExisting: onExisting === 'accept',
    retryForMs: options.retryForMs ?? 60_000,
    accountNumberField: 'platform_account_number',
    database: options.database ?? null,
    sources: run.allSources(),
  } as const;
  const end = await drain(
    {
      delivery: () => delivery,
      concurrency: options.concurrency ?? 2,
      rate: options.rate,
      onReject: options.onReject ?? onReject,
      errors: { soFar: 0, limit: options.maxErrors ?? Infinity },
      maxDuration: options.maxDuration,
    },
    {
      run: options.through ? options.through(operations) : operations,
      platform,
      timing,
      emit: (event) => {
        events.push(event);
        options.emit?.(event);
      },
      stopping: options.stopping ?? new AbortController().signal,
      abort: options.abort ?? new AbortController().signal,
    },
  );
  const report = run.report({ showValues: options.showValues ?? false, command: null });
  if (!addsUp(report.rows)) throw new Error(`the rows do not add up: ${JSON.stringify(report.rows)}`);
  return { end, report, events, waits: (timing as Partial<FakeTiming>).waits ?? [] };
}

/** Turns of the event loop after which a drain waits for the outside world. Each commit takes one of them. */
const TURNS = 6;

/** Waits until only the outside world can continue the work. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => void setImmediate(resolve));
}
