import { AppError } from '../../core/app-error.ts';
import { entryOf } from '../../core/error-codes/table.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import type { CommandContext } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import { drain, type DrainEnd, type DrainPolicy } from '../push/drain.ts';
import type { Platform } from '../push/ports/platform.ts';
import { addsUp, type RunEnd, type RunReport } from '../push/ports/report.ts';
import type { Progress } from '../render/progress.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { ErrorLimit } from '../settings/limits.ts';
import { logged } from './drain-events.ts';
import type { DrainFlags } from './drain-flags.ts';
import { reasonOf, reportWithEnd } from './end-problem.ts';
import type { Interruption } from './interruption.ts';
import { finishedEnding, refusedEnding, type LinesAfter, type RunEnding } from './run-ending.ts';
import { linesAfter, resumeLine } from './runs-folder.ts';

/** What draining a run takes, beside the run. */
export interface DrainParts {
  readonly platform: Platform;
  readonly progress: Progress;
  readonly interruption: Interruption;
  readonly showValues: boolean;
  readonly flags: DrainFlags;
  /** When the command began, by the monotonic clock. */
  readonly startedMs: number;
}

/**
 * Drains a run and tells what it has come to and what to type next.
 * @throws AppError `totals_unequal`; `run_write_failed` when the run file cannot even be read any more
 */
export async function finishRun(
  run: RunFile,
  parts: DrainParts,
  context: CommandContext,
): Promise<{ readonly report: RunReport; readonly ending: RunEnding }> {
  const end = await drainRun(run, parts, context);
  parts.progress.stop();
  const resume = await resumeLine(run.header, context);
  const counted = run.report();
  const reason = reasonOf(end, counted.rows, resume);
  const report = reportWithEnd(counted, reason, { source: run.header.sources[0]!.name, resume });
  const after = await linesAfter(run, context);
  const ending = endingOf(end, report, { interrupted: parts.interruption.exit(), resume, after });
  if (end.kind !== 'finished') recordEnd(run, { exit: ending.exit, reason });
  return { report, ending };
}

/** A disk that does not take it keeps nobody from being told now; `runs show` then judges by what is left. */
function recordEnd(run: RunFile, end: RunEnd): void {
  try {
    run.recordEnd(end);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

/** Sends what is open in a run and erases the payloads that nobody needs any more when nothing is left to do. */
async function drainRun(run: RunFile, parts: DrainParts, context: CommandContext): Promise<DrainEnd> {
  const { timing } = context.io;
  const { interrupt: stopping, cut: abort } = parts.interruption;
  const verbs = run.draining(() => preciseInstantOfClock(timing.nowMs()));
  const emit = logged(parts.progress.emit, context.log);
  const ports = { run: verbs, platform: parts.platform, timing, emit, stopping, abort };
  const end = await drain(await policyOf(run, parts, context), ports);
  return end.kind !== 'unrecorded' && !run.isOpen ? erased(run, end) : end;
}

/** A disk that does not take it leaves the texts where they are; what was sent is told all the same. */
function erased(run: RunFile, end: DrainEnd): DrainEnd {
  try {
    run.eraseSettledPayloads();
    return end;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'unrecorded', error };
  }
}

async function policyOf(run: RunFile, parts: DrainParts, context: CommandContext): Promise<DrainPolicy> {
  const settings = await context.settings();
  const { resource, options } = run.header;
  const { onReject = options.onReject, maxErrors, maxDuration } = parts.flags;
  const passedMs = context.io.timing.monotonicMs() - parts.startedMs;
  return {
    resource,
    sources: run.mappedSources,
    showValues: parts.showValues,
    options,
    onReject,
    onAmbiguous: options.onAmbiguous,
    retryForMs: settings.need('retryFor'),
    concurrency: settings.need('concurrency'),
    rate: settings.get('rateLimit'),
    errors: maxErrors === undefined ? { soFar: 0, limit: Infinity } : errorsOf(run, maxErrors),
    maxDuration:
      maxDuration === undefined ? undefined : { wholeMs: maxDuration, leftMs: maxDuration - passedMs },
  };
}

function errorsOf(run: RunFile, limit: ErrorLimit): DrainPolicy['errors'] {
  const { invalid, rejected, read } = run.report().rows;
  const most = 'rows' in limit ? limit.rows : Math.floor((read * limit.percent) / 100);
  return { soFar: invalid + rejected, limit: most };
}

/** How a command ends after a drain. */
function endingOf(
  end: DrainEnd,
  report: RunReport,
  exits: { interrupted: ExitName; resume: string; after: LinesAfter },
): RunEnding {
  if (!addsUp(report.rows)) {
    throw new AppError('totals_unequal', {
      what: `the run ${report.run}`,
      detail: JSON.stringify(report.rows),
    });
  }
  const open = { resumable: true, next: exits.resume };
  switch (end.kind) {
    case 'finished':
      return finishedEnding(report, exits.after);
    case 'refused':
      return refusedEnding(report, exits.resume);
    case 'too_many_errors':
    // Not UNFINISHED, with which scripts resume at once: that is what a person was to decide.
    case 'unresolved':
      return { exit: 'REFUSED', ...open };
    case 'unauthenticated':
      return { exit: end.error ? entryOf(end.error.code).exit : 'AUTH', ...open };
    case 'unrecorded':
      return { exit: 'RUN_FILE', ...open };
    case 'unfinished':
    case 'asked_to_wait':
    case 'time_over':
      return { exit: 'UNFINISHED', ...open };
    case 'interrupted':
      return { exit: exits.interrupted, ...open };
    default:
      return end satisfies never;
  }
}
