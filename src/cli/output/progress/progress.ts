import { durationText } from '../../../core/values/duration-text.ts';
import type { AtOnce, EventSink, PushEvent } from '../../push/events.ts';
import { openLine, PLAIN_EVERY_MS, type LineIo } from './live-line.ts';
import { RunCourse } from './run-course.ts';
import { counted, escapeControl, restText } from '../text/text.ts';

/** Shows the events of the engine as one line ([live-line](live-line.ts)). */
export interface Progress {
  readonly emit: EventSink;
  /** Prints something else above the line that is redrawn. */
  above(print: () => void): void;
  /** Removes the line that is redrawn. Call it before anything else is printed. */
  stop(): void;
}

/** Time between two plain lines with news of the platform, in milliseconds. They come sooner than others. */
const NEWS_EVERY_MS = 1_000;

export interface ProgressFlags {
  readonly quiet: boolean;
  readonly progress: boolean;
  /** Whether colours may be written to standard error. */
  readonly color: boolean;
  /** Whether the platform is only asked (`push --ask-platform`). Default: false. */
  readonly asks?: boolean | undefined;
}

/** Starts showing progress on standard error, unless the command line forbids it. `first`: what is known before anything is done. */
export async function showProgress(flags: ProgressFlags, io: LineIo, first?: PushEvent): Promise<Progress> {
  if (flags.quiet || !flags.progress)
    return { emit: () => undefined, above: (print) => print(), stop: () => undefined };
  const now = (): number => io.timing.monotonicMs();
  const state = new ProgressState(now(), flags.asks);
  if (first) state.apply(first, now());
  const isDue = plainLineSchedule(state, now());
  const { show, above, stop } = await openLine<PushEvent>(io, {
    color: flags.color,
    learns: (event, nowMs) => state.apply(event, nowMs),
    text: (nowMs) => state.text(nowMs),
    isDue,
  });
  return { emit: show, above, stop };
}

/**
 * Decides for each event, and for each look at the clock, whether a plain line is due. The number of accounts that are waited for is shown
 * when it has changed.
 */
function plainLineSchedule(
  state: ProgressState,
  startMs: number,
): (event: PushEvent | undefined, nowMs: number) => boolean {
  const shown = { lineMs: startMs, newsMs: -Infinity, news: '', waitedFor: '' };
  return (event, nowMs) => {
    const waitedFor = state.waitedForText();
    if (waitedFor !== shown.waitedFor) {
      Object.assign(shown, { waitedFor, lineMs: nowMs });
      return waitedFor !== '';
    }
    const isNews = event?.kind === 'paused' || event?.kind === 'resumed';
    const news = isNews ? state.pauseText(nowMs) : shown.news;
    const hasNews = news !== shown.news && nowMs - shown.newsMs >= NEWS_EVERY_MS;
    if (!hasNews && nowMs - shown.lineMs < PLAIN_EVERY_MS) return false;
    Object.assign(shown, { lineMs: nowMs, ...(hasNews && { newsMs: nowMs, news }) });
    return true;
  };
}

/** The events so far, as one line. */
class ProgressState {
  private readonly course = new RunCourse();
  private reading: Staging | undefined;
  private wait: Waiting | undefined;
  private stopping = '';
  private readonly startedMs: number;
  private readonly asks: boolean;

  /** `startedMs`: the start of the command, by the monotonic clock. `asks`: whether the platform stores nothing. */
  constructor(startedMs: number, asks = false) {
    this.startedMs = startedMs;
    this.asks = asks;
  }

  apply(event: PushEvent, nowMs: number): void {
    this.course.apply(event, nowMs);
    this.wait = waitAfter(this.wait, event, nowMs);
    if (event.kind === 'staging') this.reading = event;
    if (event.kind === 'stopping')
      this.stopping =
        event.reason === 'interrupted' ? 'stopping: waiting for the requests in flight' : 'stopping';
  }

  /** Why and how long nothing is sent, or a request is not tried again; empty when the platform simply answers. */
  pauseText(nowMs: number): string {
    const { wait } = this;
    if (!wait) return '';
    const leftMs = wait.untilMs - nowMs;
    const attempt = wait.kind === 'retry' ? ` (attempt ${wait.attempt})` : '';
    const next = leftMs > 0 ? `next try${attempt} in ${restText(leftMs)}` : `trying again now${attempt}`;
    if (wait.kind === 'retry') return `account ${wait.account}: ${wait.reason}, ${next}`;
    return wait.isOutage
      ? `the platform keeps failing (${wait.reason}): one request at a time, ${next}`
      : `the platform asks to wait (${wait.reason}), ${next}`;
  }

  /** The accounts that are waited for; empty without any. */
  waitedForText(): string {
    const { notImported } = this.course;
    if (!notImported || notImported.leftMs === 0) return '';
    return notImported.answered
      ? `not imported yet: ${counted(notImported.accounts, 'account')}`
      : 'the platform does not answer questions about accounts';
  }

  /** What the command is doing, first. */
  private sendingText(nowMs: number): string {
    const { isIdle, settled, planned, stage } = this.course;
    const percent = planned === 0 ? '' : ` (${Math.floor((100 * settled) / planned)} %)`;
    const sent = `${settled} of ${planned}${percent}`;
    if (!isIdle || stage !== 'sending') return `${this.asks ? 'asking' : 'sending'}: ${sent}`;
    const wait = this.waitText(nowMs);
    return `${wait === '' ? 'asking which accounts are imported' : wait}, sent: ${sent}`;
  }

  /** How long which accounts are waited for, and which flag says so. */
  private waitText(nowMs: number): string {
    const { notImported } = this.course;
    const waitedFor = this.waitedForText();
    if (!notImported || waitedFor === '') return '';
    return `${waitedFor}; waiting up to ${restText(notImported.untilMs - nowMs)} (${notImported.limit})`;
  }

  /** Rows in a second, and requests at once; nothing while the run waits or stops. */
  private pace(nowMs: number): readonly string[] {
    const { course } = this;
    if (!course.isSending) return [];
    const rows = course.rowsPerSecond(nowMs);
    return [
      rows === undefined ? '' : `${rateText(rows)} rows/s`,
      course.atOnce ? atOnceText(course.atOnce, course.waitedFor > 0) : '',
    ];
  }

  /** `3 account_not_found`: the causes that occur most. */
  private causesText(): readonly string[] {
    const byCount = [...this.course.causes].toSorted(([, a], [, b]) => b - a);
    const shown = byCount.slice(0, SHOWN_CAUSES).map(([code, count]) => `${count} ${code}`);
    const others = byCount.length - shown.length;
    return others > 0 ? [...shown, `${others} other causes`] : shown;
  }

  text(nowMs: number): string {
    const { stage, read, invalid, planned, retries, outcomes, isIdle } = this.course;
    const { created, existing, uncompared, rejected, verify } = outcomes;
    const elapsedMs = nowMs - this.startedMs;
    const elapsed = elapsedMs < PLAIN_EVERY_MS ? '' : `${durationText(elapsedMs)} so far`;
    const leftMs = this.course.leftMs(nowMs);
    const isReading = stage === 'reading' || (stage === 'stopping' && planned === 0);
    const parts = isReading
      ? [
          `reading${ofResource(this.reading)}: ${read} rows${shareText(this.reading)}`,
          named(invalid, 'invalid'),
          elapsed,
        ]
      : [
          this.sendingText(nowMs),
          leftMs === undefined ? '' : timeLeftText(leftMs),
          elapsed,
          ...this.pace(nowMs),
          isIdle ? '' : this.waitText(nowMs),
          ...(this.asks
            ? [named(created, 'would be taken'), named(existing + uncompared, 'there already')]
            : [named(created + existing + uncompared, 'arrived')]),
          named(verify, this.asks ? 'differ' : 'unproven'),
          named(rejected, this.asks ? 'would be refused' : 'refused'),
          ...this.causesText(),
          named(retries, 'tried again'),
          this.stopping === '' ? this.pauseText(nowMs) : this.stopping,
        ];
    return escapeControl(parts.filter((part) => part !== '').join(', '));
  }
}

/** `85`, or `8.1` below ten: a rate with two digits. */
function rateText(perSecond: number): string {
  return perSecond < 9.95 ? perSecond.toFixed(1) : String(Math.round(perSecond));
}

/** `under 1 min left`, `12 min left`, `2 h 10 min left`. Seconds would promise more than a rate can say. */
function timeLeftText(leftMs: number): string {
  if (leftMs < 60_000) return 'under 1 min left';
  const minutes = Math.ceil(leftMs / 60_000);
  return minutes < 60 ? `${minutes} min left` : `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}

/** Causes of problems that are shown by name. */
const SHOWN_CAUSES = 3;

/** `8 at once`, with the reason when it is not the number that was asked for. */
function atOnceText({ inFlight, most, because }: AtOnce, waits: boolean): string {
  const reasons = {
    most: '',
    throttled: ' (throttled by the platform)',
    growing: ` (growing to ${most})`,
    rate: ' (the rate limit)',
    accounts: waits ? ' (no other account is ready)' : ' (no other account is left)',
  };
  return `${inFlight} at once${reasons[because]}`;
}

type Staging = Extract<PushEvent, { kind: 'staging' }>;

function ofResource(staging: Staging | undefined): string {
  return staging?.resource === undefined ? '' : ` ${staging.resource}`;
}

/** The bytes of the last rows are read before the rows are, so a file that is being read is never at 100 %. */
function shareText(staging: Staging | undefined): string {
  if (!staging?.reading) return '';
  const { share, file } = staging.reading;
  return ` (${Math.min(99, Math.floor(100 * share))} % of ${file})`;
}

const named = (count: number, words: string): string => (count === 0 ? '' : `${count} ${words}`);

/** What the run waits for, and until when, by the monotonic clock. */
type Waiting = Extract<PushEvent, { kind: 'paused' | 'retry' }> & { readonly untilMs: number };

function waitAfter(wait: Waiting | undefined, event: PushEvent, nowMs: number): Waiting | undefined {
  switch (event.kind) {
    case 'retry':
      // The wait of all comes first, and then the request that is tried again first.
      if (wait && (wait.kind === 'paused' || wait.untilMs > nowMs)) return wait;
      return { ...event, untilMs: nowMs + event.waitMs };
    case 'paused':
      return { ...event, untilMs: nowMs + event.waitMs };
    case 'resumed':
      return undefined;
    case 'settled':
      return wait?.kind === 'paused' ? wait : undefined;
    default:
      return wait;
  }
}
