import { AppError } from '../../core/app-error.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import type { CommandContext } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import { drain, type DrainEnd } from '../push/drain.ts';
import { placeComplaint } from '../push/place-complaint.ts';
import type { Platform } from '../push/ports/platform.ts';
import { addsUp } from '../push/ports/record-outcome.ts';
import type { RunReport } from '../push/ports/report.ts';
import type { Progress } from '../render/progress.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { reportWithEnd } from './end-problem.ts';
import type { Interruption } from './interruption.ts';
import { finishedEnding, refusedEnding, type RunEnding } from './run-ending.ts';
import { resumeLine } from './runs-folder.ts';

/** What draining a run takes, beside the run. */
export interface DrainParts {
  readonly platform: Platform;
  readonly progress: Progress;
  readonly interruption: Interruption;
  readonly showValues: boolean;
}

/** Drains a run and tells what it has come to and what to type next. @throws AppError `totals_unequal` */
export async function finishRun(
  run: RunFile,
  parts: DrainParts,
  context: CommandContext,
): Promise<{ readonly report: RunReport; readonly ending: RunEnding }> {
  const end = await drainRun(run, parts, context);
  parts.progress.stop();
  const resume = await resumeLine(run.header, context);
  const report = reportWithEnd(run.report(), end, { source: run.header.sources[0]!.name, resume });
  return { report, ending: endingOf(end, report, { interrupted: parts.interruption.exit(), resume }) };
}

/** Sends what is open in a run and erases the payloads when nothing is left to do. */
async function drainRun(run: RunFile, parts: DrainParts, context: CommandContext): Promise<DrainEnd> {
  const settings = await context.settings();
  const { timing } = context.io;
  const { resource, options } = run.header;
  const complaints = { resource, sources: run.mappedSources, showValues: parts.showValues };
  const policy = {
    resource,
    options,
    retryForMs: settings.need('retryFor'),
    concurrency: settings.need('concurrency'),
    placeComplaint: placeComplaint.bind(undefined, complaints),
  };
  const { interrupt, cut } = parts.interruption;
  const verbs = run.draining(() => preciseInstantOfClock(timing.nowMs()));
  const ports = { run: verbs, platform: parts.platform, timing, emit: parts.progress.emit, interrupt, cut };
  const end = await drain(policy, ports);
  if (!run.isOpen) run.erasePayloads();
  return end;
}

/** How a command ends after a drain. */
function endingOf(
  end: DrainEnd,
  report: RunReport,
  exits: { interrupted: ExitName; resume: string },
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
      return finishedEnding(report);
    case 'refused':
      return refusedEnding(report, exits.resume);
    case 'unauthenticated':
      return { exit: 'AUTH', ...open };
    case 'unfinished':
      return { exit: 'UNFINISHED', ...open };
    case 'interrupted':
      return { exit: exits.interrupted, ...open };
    default:
      return end satisfies never;
  }
}
