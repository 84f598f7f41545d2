import type { EventSink, PushEvent } from '../../src/cli/push/events.ts';
import { drain, type DrainPolicy } from '../../src/cli/push/drain.ts';
import type { DrainEnd } from '../../src/cli/push/drain-end.ts';
import { placeComplaint } from '../../src/cli/push/place-complaint.ts';
import type { Platform } from '../../src/cli/push/ports/platform.ts';
import { addsUp } from '../../src/cli/push/ports/record-outcome.ts';
import type { RunReport } from '../../src/cli/push/ports/report.ts';
import type { DrainRun } from '../../src/cli/push/ports/run.ts';
import type { Timing } from '../../src/cli/push/ports/timing.ts';
import type { RunFile } from '../../src/cli/run-file/run-file.ts';
import { NOW } from './push-staged-run.ts';

/** Time that passes by waits alone, and chance that is always the same. */
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

/** How a run is drained, where it differs from a plain push. */
export interface DrainOptions extends Partial<Pick<DrainPolicy, 'onReject' | 'rate' | 'maxDuration'>> {
  readonly concurrency?: number;
  readonly retryForMs?: number;
  readonly showValues?: boolean;
  readonly timing?: Timing;
  readonly interrupt?: AbortSignal;
  readonly cut?: AbortSignal;
  readonly emit?: EventSink;
  /** Most rows that may be refused. */
  readonly maxErrors?: number;
  /** Stands between the engine and the verbs of the run file. */
  readonly through?: (verbs: DrainRun) => DrainRun;
}

/** What a drain has come to. */
export interface Drained {
  readonly end: DrainEnd;
  readonly report: RunReport;
  readonly events: readonly PushEvent[];
  readonly waits: readonly number[];
}

/** Drains a staged run as a push does. The rows of its report must add up. */
export async function drained(
  run: RunFile,
  platform: Platform,
  options: DrainOptions = {},
): Promise<Drained> {
  const events: PushEvent[] = [];
  const timing = options.timing ?? fakeTiming();
  const { resource } = run.header;
  const context = { resource, sources: run.mappedSources, showValues: options.showValues ?? false };
  const verbs = run.draining(() => NOW);
  const end = await drain(
    {
      resource,
      options: run.header.options,
      retryForMs: options.retryForMs ?? 60_000,
      concurrency: options.concurrency ?? 2,
      rate: options.rate,
      onReject: options.onReject ?? run.header.options.onReject,
      onAmbiguous: run.header.options.onAmbiguous,
      errors: { soFar: 0, limit: options.maxErrors ?? Infinity },
      maxDuration: options.maxDuration,
      placeComplaint: placeComplaint.bind(undefined, context),
    },
    {
      run: options.through ? options.through(verbs) : verbs,
      platform,
      timing,
      emit: (event) => {
        events.push(event);
        options.emit?.(event);
      },
      interrupt: options.interrupt ?? new AbortController().signal,
      cut: options.cut ?? new AbortController().signal,
    },
  );
  const report = run.report();
  if (!addsUp(report.rows)) throw new Error(`the rows do not add up: ${JSON.stringify(report.rows)}`);
  return { end, report, events, waits: (timing as Partial<FakeTiming>).waits ?? [] };
}

/** Lets everything that can go on without the outside world go on. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
