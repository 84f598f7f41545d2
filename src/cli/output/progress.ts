import type { Ora } from 'ora';
import type { Io } from '../io.ts';
import type { AtOnce, EventSink, PushEvent } from '../push/events.ts';
import { healthAfter, healthText, isNews, type PlatformHealth } from './platform-health.ts';
import { RunCourse } from './run-course.ts';
import { rateText, timeLeftText } from './sending-rate.ts';
import { counted, durationText, escapeControl, labelledLines } from './text.ts';

/**
 * Shows the events of the engine: one line that is redrawn every second on a terminal, with further lines where it is too narrow, and
 * a plain line every ten seconds elsewhere. Both also while nothing happens.
 */
export interface Progress {
  readonly emit: EventSink;
  /** Removes the line that is redrawn. Call it before anything else is printed. */
  stop(): void;
}

/** Time between two plain lines, in milliseconds. News about the platform come sooner. */
const PLAIN_EVERY_MS = 10_000;
const NEWS_EVERY_MS = 1_000;

/** Time between two looks at the clock, in milliseconds. */
const TICK_MS = 1_000;

/** How progress is shown. */
export interface ProgressFlags {
  readonly quiet: boolean;
  readonly progress: boolean;
  /** Whether colours may be written to standard error. */
  readonly color: boolean;
}

/**
 * Starts showing progress on standard error, unless the command line forbids it. `first`: what is known before
 * anything is done.
 */
export async function showProgress(
  flags: ProgressFlags,
  io: Pick<Io, 'stderr' | 'timing' | 'env' | 'every'>,
  first?: PushEvent,
): Promise<Progress> {
  const state = new ProgressState(io.timing.monotonicMs());
  if (flags.quiet || !flags.progress) return { emit: () => undefined, stop: () => undefined };
  const now = (): number => io.timing.monotonicMs();
  if (first) state.apply(first, now());
  const spinner = await spinnerFor(io, flags.color, fitted(state.text(now()), io.stderr.columns));
  const isDue = plainLineSchedule(io.timing.monotonicMs());
  const show = (event?: PushEvent): void => {
    const nowMs = now();
    if (spinner) spinner.text = fitted(state.text(nowMs), io.stderr.columns);
    else if (isDue(event, state, nowMs)) io.stderr.write(`${state.text(nowMs)}\n`);
  };
  const stopTicking = io.every(TICK_MS, () => show());
  return {
    emit(event) {
      state.apply(event, now());
      show(event);
    },
    stop() {
      stopTicking();
      spinner?.stop();
    },
  };
}

/** Ora begins the text with its spinner and a space. Further lines begin below the text. */
const SPINNER_WIDTH = 2;

/** Broken between words. The last column stays free, because some terminals break the line there. */
export function fitted(text: string, columns = 80): string {
  return labelledLines('', text, SPINNER_WIDTH, columns - 1).trim();
}

/**
 * Decides for each event, and for each look at the clock, whether a plain line is due. News of the platform wait for the retry that names
 * the wait, and are shown once. The number of accounts that are waited for is shown when it has changed.
 */
function plainLineSchedule(
  startMs: number,
): (event: PushEvent | undefined, state: ProgressState, nowMs: number) => boolean {
  const shown = { lineMs: startMs, newsMs: -Infinity, news: '', waitedFor: '' };
  let hasNews = false;
  return (event, state, nowMs) => {
    const health = state.healthText();
    const waitedFor = state.waitedForText();
    if (waitedFor !== shown.waitedFor) {
      Object.assign(shown, { waitedFor, lineMs: nowMs });
      return waitedFor !== '';
    }
    if (!event) {
      const isOver = nowMs - shown.lineMs >= PLAIN_EVERY_MS;
      if (isOver) shown.lineMs = nowMs;
      return isOver;
    }
    hasNews ||= isNews(event);
    if (isNews(event) && event.kind !== 'recovered') return false;
    const completesNews = event.kind === 'retry' || event.kind === 'recovered';
    const isDue = hasNews && completesNews && health !== shown.news && nowMs - shown.newsMs >= NEWS_EVERY_MS;
    if (!isDue && nowMs - shown.lineMs < PLAIN_EVERY_MS) return false;
    if (isDue) Object.assign(shown, { newsMs: nowMs, news: health });
    shown.lineMs = nowMs;
    hasNews = false;
    return true;
  };
}

async function spinnerFor(
  io: Pick<Io, 'stderr' | 'env'>,
  color: boolean,
  text: string,
): Promise<Ora | undefined> {
  // Ora needs the width. Without it ora would clear lines without end.
  const canRedraw = io.stderr.isTTY && io.stderr.columns !== undefined && io.env['TERM'] !== 'dumb';
  if (!canRedraw) return undefined;
  const { default: ora } = await import('ora');
  // Ora writes colours whatever the user asked for, unless `color` is false.
  return ora({ text, ...(color ? {} : { color: false }), discardStdin: false }).start();
}

/** The events so far, as one line. */
class ProgressState {
  private readonly course = new RunCourse();
  private reading: Staging | undefined;
  private health: PlatformHealth = {};
  private stopping = '';
  private readonly startedMs: number;

  /** `startedMs`: the start of the command, by the monotonic clock. */
  constructor(startedMs: number) {
    this.startedMs = startedMs;
  }

  apply(event: PushEvent, nowMs: number): void {
    this.course.apply(event, nowMs);
    this.health = healthAfter(this.health, event);
    if (event.kind === 'staging') this.reading = event;
    if (event.kind === 'stopping')
      this.stopping =
        event.reason === 'interrupted' ? 'stopping: waiting for the requests in flight' : 'stopping';
  }

  /** Why the platform slows the run down; empty when it does not. */
  healthText(): string {
    return healthText(this.health);
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
    if (!isIdle || stage !== 'sending') return `sending: ${sent}`;
    const wait = this.waitText(nowMs);
    return `${wait === '' ? 'asking which accounts are imported' : wait}, sent: ${sent}`;
  }

  /** How long which accounts are waited for, and which flag says so. */
  private waitText(nowMs: number): string {
    const { notImported } = this.course;
    const waitedFor = this.waitedForText();
    if (!notImported || waitedFor === '') return '';
    const leftMs = Math.max(0, notImported.untilMs - nowMs);
    return `${waitedFor}; waiting up to ${durationText(leftMs)} (${notImported.limit})`;
  }

  /** Rows and requests in a second, and requests at once; nothing while the run waits or stops. */
  private pace(nowMs: number): readonly string[] {
    const { course } = this;
    if (!course.isSending) return [];
    const rows = course.rowsPerSecond(nowMs);
    const requests = course.requestsPerSecond(nowMs);
    return [
      rows === undefined ? '' : `${rateText(rows)} rows/s`,
      requests === undefined ? '' : `${rateText(requests)} requests/s`,
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
    const { created, existing, rejected, verify } = outcomes;
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
          named(created, 'created'),
          named(existing, 'already there'),
          named(verify, 'to verify'),
          named(rejected, 'rejected'),
          ...this.causesText(),
          named(retries, 'tried again'),
          this.stopping === '' ? this.healthText() : this.stopping,
        ];
    return escapeControl(parts.filter((part) => part !== '').join(', '));
  }
}

/** Causes of problems that are shown by name. */
const SHOWN_CAUSES = 3;

/** `8 at once`, with the reason when it is not the number that was asked for. The health says more about throttling. */
function atOnceText({ inFlight, most, because }: AtOnce, waits: boolean): string {
  const reasons = {
    most: '',
    throttled: '',
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

function named(count: number, words: string): string {
  return count === 0 ? '' : `${count} ${words}`;
}
