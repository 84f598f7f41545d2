import { AppError } from '../../core/app-error.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import { mostConcurrency } from '../connection.ts';
import type { SendingFlags } from '../flags.ts';
import type { Log } from '../log-file.ts';
import type { Progress } from '../output/progress.ts';
import type { Ending, SendingSpeed } from '../output/run-document.ts';
import type { DeliveryPolicy } from '../push/deliver.ts';
import { drain, type DrainPolicy, type DrainEnd } from '../push/drain.ts';
import type { EventSink, PushEvent } from '../push/events.ts';
import type { Platform } from '../push/ports/platform.ts';
import type { SendingFigures } from '../push/ports/sending.ts';
import type { ReportView, RunReport, RunEnd } from '../push/ports/report.ts';
import type { Timing } from '../push/ports/timing.ts';
import { lowerRate, shareOfRate, type Rate } from '../push/token-bucket.ts';
import { freeHandles } from '../../files/free-handles.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { Settings } from '../settings/settings.ts';
import { accountNumberField, type AppliedContract } from './applied-contract.ts';
import { endReasonOf, reportWithReason } from './end-reason.ts';
import { endingAfter } from './ending.ts';
import type { Interruption } from './interruption.ts';
import { commandsAfter, namingCommand, type NextCommands } from './next-commands.ts';

/** What sending a run needs of the outside. */
export interface SendingPorts {
  readonly platform: Platform;
  readonly progress: Progress;
  readonly interruption: Interruption;
  readonly timing: Timing;
  readonly log: Log;
}

/** How a run is sent. */
export interface SendingChoice {
  readonly flags: SendingFlags;
  readonly settings: Settings;
  readonly commands: NextCommands;
  readonly contract: AppliedContract | undefined;
  /** When the command began, by the monotonic clock. */
  readonly startedMs: number;
  /** No request begins before this time of the monotonic clock, because the platform asked to wait. */
  readonly pausedUntilMs: number;
}

/** A run after sending. */
export interface SentRun {
  readonly report: RunReport;
  readonly ending: Ending;
  /** Id of the run. */
  readonly run: string;
  /** From the start of the command to the end of sending. */
  readonly durationMs: number;
  readonly speed: SendingSpeed;
}

/**
 * Sends what is open in a run, and says how that ended and what to type next.
 * @throws AppError `totals_unequal`; `run_write_failed` when the run file cannot even be read any more
 */
export function sendRun(run: RunFile, choice: SendingChoice, ports: SendingPorts): Promise<SentRun> {
  return namingCommand(choice.commands.resume(run.header), () => sentRun(run, choice, ports));
}

async function sentRun(run: RunFile, choice: SendingChoice, ports: SendingPorts): Promise<SentRun> {
  const { commands, startedMs } = choice;
  const beforeMs = ports.timing.monotonicMs() - startedMs;
  const { end, figures } = await drainRun(run, choice, ports);
  ports.progress.stop();
  const resume = commands.resume(run.header);
  const counted = run.report(viewOf(run, choice));
  const reason = endReasonOf(end, counted.rows, resume);
  const report = reportWithReason(counted, reason, { file: run.header.sources[0]!.name, resume });
  const ending = endingAfter(end, report, {
    resume,
    after: commandsAfter(run, commands),
    isOpen: run.isOpen,
    interrupted: ports.interruption.exit(),
  });
  if (end.kind !== 'finished') recordEnd(run, { exit: ending.exit, reason });
  const durationMs = ports.timing.monotonicMs() - startedMs;
  return { report, ending, run: run.header.id, durationMs, speed: { beforeMs, ...figures } };
}

/** How the problems of a run are shown to its command. */
export function viewOf(
  { header }: RunFile,
  { flags, commands }: { readonly flags: { readonly showValues?: boolean }; readonly commands: NextCommands },
): ReportView {
  return { showValues: flags.showValues ?? false, command: `${commands.show(header)} --show-values` };
}

/** A full disk must not hide the result. `runs show` then works out the end from the rows. */
export function recordEnd(run: RunFile, end: RunEnd): void {
  try {
    run.recordEnd(end);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

/** Sends what is open, and erases the payloads that nobody needs any more when nothing is left to do. */
async function drainRun(
  run: RunFile,
  choice: SendingChoice,
  ports: SendingPorts,
): Promise<{ readonly end: DrainEnd; readonly figures: SendingFigures }> {
  const { platform, timing, interruption } = ports;
  const { end, figures } = await drain(drainPolicy(run, choice, timing), {
    run: run.draining(() => preciseInstantOfClock(timing.nowMs())),
    platform,
    timing,
    emit: logged(ports.progress.emit, ports.log),
    stopping: interruption.stopping,
    abort: interruption.abort,
  });
  return { end: afterErasing(run, end), figures };
}

/**
 * Erases the payloads of a run of which nothing is left to do. A full disk leaves the payloads where they are, before this and
 * now. The result is shown all the same.
 */
export function afterErasing(run: Pick<RunFile, 'isOpen' | 'eraseSettledPayloads'>, end: DrainEnd): DrainEnd {
  if (end.kind === 'unrecorded' || run.isOpen) return end;
  try {
    run.eraseSettledPayloads();
    return end;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'unrecorded', error };
  }
}

function drainPolicy(run: RunFile, choice: SendingChoice, timing: Timing): DrainPolicy {
  const delivery = deliveryOf(run, choice);
  return {
    delivery: () => delivery,
    onReject: run.header.options.onReject,
    ...paceOf(run, choice, timing),
    errors: errorBudget([run], choice.flags.maxErrors),
  };
}

/** How the batches of a run are delivered. */
export function deliveryOf(
  run: RunFile,
  { settings, contract }: Pick<SendingChoice, 'settings' | 'contract'>,
): DeliveryPolicy {
  const { resource, options } = run.header;
  return {
    resource,
    sources: run.mappedSources,
    options,
    onAmbiguous: options.onAmbiguous,
    retryForMs: settings.need('retryFor'),
    accountNumberField: accountNumberField('payment-instructions', settings, contract),
  };
}

/** How fast requests may be sent, and for how long. */
export function paceOf(
  run: RunFile,
  { flags: { maxDuration }, settings, startedMs, pausedUntilMs }: SendingChoice,
  timing: Timing,
): Pick<DrainPolicy, 'concurrency' | 'rate' | 'pausedUntilMs' | 'maxDuration'> {
  const passedMs = timing.monotonicMs() - startedMs;
  return {
    concurrency: concurrencyWithinHandles(mostConcurrency(settings)),
    rate: rateOf(run, settings),
    pausedUntilMs,
    maxDuration:
      maxDuration === undefined ? undefined : { wholeMs: maxDuration, leftMs: maxDuration - passedMs },
  };
}

/** Files that a run may still open while it sends, such as journals, reports and parts of this program. */
const KEPT_HANDLES = 16;

/** A connection is not free again when its answer has been read, so the next request may open another one. */
const HANDLES_PER_REQUEST = 2;

/** Connections are open files, and a few more files must stay possible (`ulimit -n`). */
function concurrencyWithinHandles(most: number): number {
  const free = freeHandles(most * HANDLES_PER_REQUEST + KEPT_HANDLES) - KEPT_HANDLES;
  return Math.max(1, Math.floor(free / HANDLES_PER_REQUEST));
}

/** `--rate-limit-total` is divided by the number of shards, because they do not talk to each other. */
export function rateOf({ header }: RunFile, settings: Settings): Rate | undefined {
  const total = settings.get('rateLimitTotal');
  const shards = header.options.selection?.shard?.count ?? 1;
  return lowerRate(settings.get('rateLimit'), total && shareOfRate(total, shards));
}

/** Rows that are wrong so far, and how many may be. */
export function errorBudget(
  runs: readonly RunFile[],
  limit: SendingFlags['maxErrors'],
): DrainPolicy['errors'] {
  if (limit === undefined) return { soFar: 0, limit: Infinity };
  const counts = runs.map((run) => run.report().rows);
  const soFar = counts.reduce((all, { invalid, rejected }) => all + invalid + rejected, 0);
  const read = counts.reduce((all, rows) => all + rows.read, 0);
  const most = 'rows' in limit ? limit.rows : Math.floor((read * limit.percent) / 100);
  return { soFar, limit: most };
}

/** Events that explain the waits of a run. The log has every request by itself already. */
const LOGGED: ReadonlySet<PushEvent['kind']> = new Set([
  'retry',
  'slowed',
  'eased',
  'paused',
  'resumed',
  'outage',
  'recovered',
  'stopping',
]);

/** Passes events on and logs some of them, without the account number, because that is a value of a cell. */
export function logged(emit: EventSink, log: Log): EventSink {
  return (event) => {
    if (LOGGED.has(event.kind)) {
      const { kind, account: _, ...fields } = event as { readonly kind: string; readonly account?: string };
      log.write(kind, fields);
    }
    emit(event);
  };
}
