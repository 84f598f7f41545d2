import { fileReason } from '../../../core/file-reason.ts';
import { observer } from '../../../core/observer.ts';
import { total } from '../../../core/values/counts.ts';
import type { Io } from '../../outside/io.ts';
import type { EventSink, PushEvent } from '../../push/events.ts';
import type { SettledOutcome } from '../../push/ports/report.ts';
import type { OutputFlags } from '../result.ts';
import { mayColor } from '../text/paint.ts';
import { counted, escapeControl, labelledLines, restText } from '../text/text.ts';

/** Shows the events of the engine as one line on standard error. */
export interface Progress {
  readonly emit: EventSink;
  /** Prints something else above the line that is redrawn. */
  above(print: () => void): void;
  /** Removes the line that is redrawn. Call it before anything else is printed. */
  stop(): void;
}

export type ProgressFlags = Pick<OutputFlags, 'quiet' | 'progress'>;

/** Time between two looks at the clock, in milliseconds. */
const TICK_MS = 1_000;

/** Time between two plain lines, in milliseconds: with news of the platform, and without. */
const [NEWS_EVERY_MS, PLAIN_EVERY_MS] = [1_000, 10_000];

const GOES_ON = 'progress is not shown any more, and the command goes on';

/**
 * Starts showing progress, unless the command line forbids it: a line that is redrawn on a terminal, and plain lines elsewhere. Both also
 * while nothing happens. After a failure nothing is shown any more.
 */
export async function showProgress(
  flags: ProgressFlags,
  io: Pick<Io, 'stderr' | 'timing' | 'env' | 'every'>,
): Promise<Progress> {
  if (flags.quiet || !flags.progress)
    return { emit: () => undefined, above: (print) => print(), stop: () => undefined };
  const course = new RunCourse();
  const spinner = await spinnerFor(io);
  let [lineMs, newsMs, shownNews] = [io.timing.monotonicMs(), -Infinity, ''];
  const isDue = (nowMs: number): boolean => {
    const news = course.news();
    const isNews = news !== shownNews && nowMs - newsMs >= NEWS_EVERY_MS;
    if (!isNews && nowMs - lineMs < PLAIN_EVERY_MS) return false;
    [lineMs, newsMs, shownNews] = [nowMs, isNews ? nowMs : newsMs, news];
    return true;
  };
  const show = (event?: PushEvent): void => {
    const nowMs = io.timing.monotonicMs();
    if (event) course.apply(event, nowMs);
    if (spinner) {
      spinner.text = fitted(course.text(nowMs), io.stderr.columns);
      if (!spinner.isSpinning) spinner.start();
    } else if (isDue(nowMs)) io.stderr.write(`${course.text(nowMs)}\n`);
  };
  const emit = observer(show, (error) => io.stderr.write(`${GOES_ON}: ${fileReason(error)}\n`));
  const stopTicking = io.every(TICK_MS, () => emit());
  return {
    emit,
    above(print) {
      spinner?.clear();
      print();
    },
    stop() {
      stopTicking();
      spinner?.stop();
    },
  };
}

async function spinnerFor(io: Pick<Io, 'stderr' | 'env'>) {
  // Without the width ora would clear lines without end.
  if (!io.stderr.isTTY || io.stderr.columns === undefined || io.env['TERM'] === 'dumb') return undefined;
  const { default: ora } = await import('ora');
  // Ora writes colours whatever the user asked for, unless `color` is false.
  return ora({ ...(mayColor(io.stderr, io) ? {} : { color: false }), discardStdin: false });
}

/** Ora begins the text with its spinner and a space. Further lines begin below the text. */
const SPINNER_WIDTH = 2;

/** Broken between words. The last column stays free, because some terminals break the line there. */
export function fitted(text: string, columns = 80): string {
  return labelledLines('', text, SPINNER_WIDTH, columns - 1).trim();
}

type Of<Kind extends PushEvent['kind']> = Extract<PushEvent, { kind: Kind }>;

/** A rate over less than this time, in milliseconds, is chance. */
const BASIS_MS = 15_000;

/** The events of a run so far. Times are of the monotonic clock. */
class RunCourse {
  private reading: Of<'staging'> | undefined;
  /** Records of the run, those that earlier commands settled included; undefined before the first is sent. */
  private planned: number | undefined;
  private retries = 0;
  private readonly outcomes = { created: 0, existing: 0, uncompared: 0, verify: 0, rejected: 0 };
  /** Accounts that are not imported, and until when they are waited for. */
  private notImported: (Of<'not_imported'> & { readonly untilMs: number }) | undefined;
  /** What the run waits for, and until when. */
  private wait: (Of<'paused' | 'retry'> & { readonly untilMs: number }) | undefined;
  private stopping = '';
  private settledBefore = 0;
  /** When sending began. */
  private fromMs = 0;

  apply(event: PushEvent, nowMs: number): void {
    switch (event.kind) {
      case 'staging':
        this.reading = event;
        return;
      case 'planned':
        this.add(event.settled ?? {});
        this.settledBefore = this.settled;
        this.planned = event.records + this.settled;
        this.fromMs = nowMs;
        return;
      case 'settled':
        this.add(event.outcomes);
        // An answer to a request that was in flight when the platform asked everybody to wait does not end the wait.
        if (this.wait?.kind !== 'paused') this.wait = undefined;
        return;
      case 'retry':
        this.retries++;
        // The wait of all comes first, and then the request that is tried again first.
        if (this.wait?.kind === 'paused' || (this.wait && this.wait.untilMs > nowMs)) return;
        this.wait = { ...event, untilMs: nowMs + event.waitMs };
        return;
      case 'paused':
        this.wait = { ...event, untilMs: nowMs + event.waitMs };
        return;
      case 'resumed':
        this.wait = undefined;
        return;
      case 'not_imported':
        this.notImported = { ...event, untilMs: nowMs + event.leftMs };
        return;
      case 'stopping':
        this.stopping =
          event.reason === 'interrupted' || event.reason === 'time_over'
            ? 'stopping: waiting for the requests in flight'
            : 'stopping';
        return;
      default:
        event satisfies never;
    }
  }

  private get settled(): number {
    return total(Object.values(this.outcomes), (count) => count);
  }

  private add(outcomes: Readonly<Partial<Record<SettledOutcome, number>>>): void {
    for (const [name, count] of Object.entries(outcomes)) this.outcomes[name as SettledOutcome] += count;
  }

  /** The accounts that are waited for; empty without any. */
  private waitedFor(): string {
    if (!this.notImported || this.notImported.leftMs === 0) return '';
    return this.notImported.answered
      ? `not imported yet: ${counted(this.notImported.accounts, 'account')}`
      : 'the platform does not answer questions about accounts';
  }

  /** Why nothing is sent; empty while the platform simply answers. */
  private pause(): string {
    if (this.wait?.kind !== 'paused') return '';
    const { isOutage, reason } = this.wait;
    return isOutage
      ? `the platform keeps failing (${reason}): one request at a time`
      : `the platform asks to wait (${reason})`;
  }

  /** What a person would want to know at once. */
  news(): string {
    return this.waitedFor() + this.pause();
  }

  private health(nowMs: number): readonly string[] {
    const { wait } = this;
    if (!wait) return [];
    const attempt = wait.kind === 'retry' ? ` (attempt ${wait.attempt})` : '';
    const leftMs = wait.untilMs - nowMs;
    const next = leftMs > 0 ? `next try${attempt} in ${restText(leftMs)}` : `trying again now${attempt}`;
    return [wait.kind === 'retry' ? `account ${wait.account}: ${wait.reason}` : this.pause(), next];
  }

  /** How long sending will take, and rows in a second. Empty until a rate is more than chance. */
  private pace(nowMs: number, planned: number): readonly string[] {
    const own = this.settled - this.settledBefore;
    const isSending = this.stopping === '' && this.wait?.kind !== 'paused' && this.settled < planned;
    const tookMs = nowMs - this.fromMs;
    if (!isSending || own === 0 || tookMs < BASIS_MS) return [];
    const rate = (own * 1_000) / tookMs;
    return [
      // Nobody knows when accounts will be imported.
      this.notImported?.accounts ? '' : timeLeftText(((planned - this.settled) * 1_000) / rate),
      // A rate with two digits.
      `${rate < 9.95 ? rate.toFixed(1) : Math.round(rate)} rows/s`,
    ];
  }

  /** The events so far, as one line. */
  text(nowMs: number): string {
    const { reading, planned, outcomes, notImported, settled } = this;
    if (planned === undefined) {
      const { rows = 0, invalid = 0, resource, reading: share } = reading ?? {};
      // The bytes of the last rows are read before the rows are, so a file that is being read is never at 100 %.
      const of = share ? ` (${Math.min(99, Math.floor(100 * share.share))} % of ${share.file})` : '';
      const name = resource === undefined ? '' : ` ${resource}`;
      return line([`reading${name}: ${rows} rows${of}`, named(invalid, 'invalid')]);
    }
    const percent = planned === 0 ? '' : ` (${Math.floor((100 * settled) / planned)} %)`;
    const waits = this.waitedFor();
    return line([
      `sending: ${settled} of ${planned}${percent}`,
      ...this.pace(nowMs, planned),
      waits && `${waits}; waiting up to ${restText(notImported!.untilMs - nowMs)} (${notImported!.limit})`,
      named(outcomes.created + outcomes.existing + outcomes.uncompared, 'arrived'),
      named(outcomes.verify, 'unproven'),
      named(outcomes.rejected, 'refused'),
      named(this.retries, 'tried again'),
      ...(this.stopping === '' ? this.health(nowMs) : [this.stopping]),
    ]);
  }
}

const line = (parts: readonly string[]): string =>
  escapeControl(parts.filter((part) => part !== '').join(', '));

const named = (count: number, words: string): string => (count === 0 ? '' : `${count} ${words}`);

/** `under 1 min left`, `12 min left`, `2 h 10 min left`. Seconds would promise more than a rate can say. */
function timeLeftText(leftMs: number): string {
  if (leftMs < 60_000) return 'under 1 min left';
  const minutes = Math.ceil(leftMs / 60_000);
  return minutes < 60 ? `${minutes} min left` : `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}
