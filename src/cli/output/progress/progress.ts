import { total } from '../../../core/values/counts.ts';
import { durationText } from '../../../core/values/duration-text.ts';
import type { AtOnce, EventSink, PushEvent } from '../../push/events.ts';
import type { SettledOutcome } from '../../push/ports/report.ts';
import { openLine, PLAIN_EVERY_MS, type LineIo } from './live-line.ts';
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
}

/** Starts showing progress on standard error, unless the command line forbids it. */
export async function showProgress(flags: ProgressFlags, io: LineIo): Promise<Progress> {
  if (flags.quiet || !flags.progress)
    return { emit: () => undefined, above: (print) => print(), stop: () => undefined };
  const startMs = io.timing.monotonicMs();
  const course = new RunCourse(startMs);
  const shown = { lineMs: startMs, newsMs: -Infinity, news: '' };
  const { show, above, stop } = await openLine<PushEvent>(io, {
    color: flags.color,
    learns: (event, nowMs) => course.apply(event, nowMs),
    text: (nowMs) => course.text(nowMs),
    isDue(_, nowMs) {
      const news = course.news();
      const isNews = news !== shown.news && nowMs - shown.newsMs >= NEWS_EVERY_MS;
      if (!isNews && nowMs - shown.lineMs < PLAIN_EVERY_MS) return false;
      Object.assign(shown, { lineMs: nowMs, news }, isNews && { newsMs: nowMs });
      return true;
    },
  });
  return { emit: show, above, stop };
}

type Of<Kind extends PushEvent['kind']> = Extract<PushEvent, { kind: Kind }>;

/** Why nothing is sent. */
type Stop = 'paused' | 'idle';

/** A rate over less than this time, in milliseconds, is chance. */
const BASIS_MS = 15_000;

/** Causes of problems that are shown by name. */
const SHOWN_CAUSES = 3;

/** The events of a run so far. Times are of the monotonic clock. */
class RunCourse {
  private stage: 'reading' | 'sending' | 'stopping' = 'reading';
  private reading: Of<'staging'> | undefined;
  /** Records of the run, those that earlier commands settled included. */
  private planned = 0;
  private retries = 0;
  private atOnce: AtOnce | undefined;
  private readonly outcomes = { created: 0, existing: 0, uncompared: 0, verify: 0, rejected: 0 };
  /** How often each code of a problem came while records were sent. */
  private readonly causes = new Map<string, number>();
  /** Accounts that are not imported, and until when they are waited for. */
  private notImported: (Of<'not_imported'> & { readonly untilMs: number }) | undefined;
  /** What the run waits for, and until when. */
  private wait: (Of<'paused' | 'retry'> & { readonly untilMs: number }) | undefined;
  private stopping = '';
  private settledBefore = 0;
  /** When sending began, by a clock that stands still in stops. */
  private fromMs = 0;
  private readonly stops = new Set<Stop>();
  private stopsFromMs = 0;
  private readonly startedMs: number;

  /** `startedMs`: the start of the command. */
  constructor(startedMs: number) {
    this.startedMs = startedMs;
  }

  apply(event: PushEvent, nowMs: number): void {
    switch (event.kind) {
      case 'staging':
        this.reading = event;
        return;
      case 'planned':
        this.stage = 'sending';
        this.add(event.settled ?? {});
        this.settledBefore = this.settled;
        this.planned = event.records + this.settled;
        this.fromMs = nowMs;
        return;
      case 'settled':
        this.add(event.outcomes);
        this.atOnce = event.atOnce;
        for (const code of event.problems ?? []) this.causes.set(code, (this.causes.get(code) ?? 0) + 1);
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
        this.toggle('paused', true, nowMs);
        this.wait = { ...event, untilMs: nowMs + event.waitMs };
        return;
      case 'resumed':
        this.toggle('paused', false, nowMs);
        this.wait = undefined;
        return;
      case 'slowed':
        return;
      case 'not_imported':
        this.notImported = { ...event, untilMs: nowMs + event.leftMs };
        return;
      case 'idle':
        this.toggle('idle', event.isIdle, nowMs);
        return;
      case 'stopping':
        this.stage = 'stopping';
        this.stopping =
          event.reason === 'interrupted' ? 'stopping: waiting for the requests in flight' : 'stopping';
        return;
      default:
        event satisfies never;
    }
  }

  private get settled(): number {
    return total(Object.values(this.outcomes), (count) => count);
  }

  private toggle(stop: Stop, isOn: boolean, nowMs: number): void {
    const had = this.stops.size;
    if (isOn) this.stops.add(stop);
    else this.stops.delete(stop);
    if (had === 0) this.stopsFromMs = nowMs;
    else if (this.stops.size === 0) this.fromMs += nowMs - this.stopsFromMs;
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

  /** What the command is doing, first. */
  private sending(nowMs: number): readonly string[] {
    const { settled, planned, notImported } = this;
    const percent = planned === 0 ? '' : ` (${Math.floor((100 * settled) / planned)} %)`;
    const sent = `${settled} of ${planned}${percent}`;
    const waits = this.waitedFor();
    const wait =
      waits === ''
        ? []
        : [`${waits}; waiting up to ${restText(notImported!.untilMs - nowMs)} (${notImported!.limit})`];
    if (!this.stops.has('idle') || this.stage !== 'sending')
      return [`sending: ${sent}`, ...this.pace(nowMs), ...wait];
    return [wait[0] ?? 'asking which accounts are imported', `sent: ${sent}`, ...this.pace(nowMs)];
  }

  /** How long the command has taken and will take, and rows in a second without its stops. */
  private pace(nowMs: number): readonly string[] {
    const own = this.settled - this.settledBefore;
    const tookMs = nowMs - this.fromMs;
    const isSending =
      this.stage === 'sending' && this.stops.size === 0 && this.settled < this.planned && own > 0;
    const rate = isSending && tookMs >= BASIS_MS ? (own * 1_000) / tookMs : undefined;
    // Nobody knows when accounts will be imported.
    const leftMs =
      rate === undefined || this.notImported?.accounts
        ? undefined
        : ((this.planned - this.settled) * 1_000) / rate;
    return [
      ...(leftMs === undefined ? [] : [timeLeftText(leftMs)]),
      ...this.elapsed(nowMs),
      // A rate with two digits.
      ...(rate === undefined ? [] : [`${rate < 9.95 ? rate.toFixed(1) : Math.round(rate)} rows/s`]),
      ...(isSending && this.atOnce ? [atOnceText(this.atOnce)] : []),
    ];
  }

  private elapsed(nowMs: number): readonly string[] {
    const elapsedMs = nowMs - this.startedMs;
    return elapsedMs < PLAIN_EVERY_MS ? [] : [`${durationText(elapsedMs)} so far`];
  }

  /** The events so far, as one line. */
  text(nowMs: number): string {
    const { stage, reading, outcomes } = this;
    if (stage === 'reading' || (stage === 'stopping' && this.planned === 0)) {
      const { rows = 0, invalid = 0, resource, reading: share } = reading ?? {};
      // The bytes of the last rows are read before the rows are, so a file that is being read is never at 100 %.
      const of = share ? ` (${Math.min(99, Math.floor(100 * share.share))} % of ${share.file})` : '';
      const name = resource === undefined ? '' : ` ${resource}`;
      return line([`reading${name}: ${rows} rows${of}`, named(invalid, 'invalid'), ...this.elapsed(nowMs)]);
    }
    const { created, existing, uncompared, rejected, verify } = outcomes;
    const causes = [...this.causes].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN_CAUSES);
    return line([
      ...this.sending(nowMs),
      named(created + existing + uncompared, 'arrived'),
      named(verify, 'unproven'),
      named(rejected, 'refused'),
      ...causes.map(([code, count]) => `${count} ${code}`),
      named(this.retries, 'tried again'),
      ...(this.stopping === '' ? this.health(nowMs) : [this.stopping]),
    ]);
  }
}

const line = (parts: readonly string[]): string =>
  escapeControl(parts.filter((part) => part !== '').join(', '));

const atOnceText = ({ inFlight, because }: AtOnce): string =>
  `${inFlight} at once${because === 'throttled' ? ' (throttled by the platform)' : ''}`;

const named = (count: number, words: string): string => (count === 0 ? '' : `${count} ${words}`);

/** `under 1 min left`, `12 min left`, `2 h 10 min left`. Seconds would promise more than a rate can say. */
function timeLeftText(leftMs: number): string {
  if (leftMs < 60_000) return 'under 1 min left';
  const minutes = Math.ceil(leftMs / 60_000);
  return minutes < 60 ? `${minutes} min left` : `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}
