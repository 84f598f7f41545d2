import type { Ora } from 'ora';
import type { Io } from '../io.ts';
import type { EventSink, PushEvent } from '../push/events.ts';
import { isNews, troubleAfter, troubleText, type Trouble } from './platform-trouble.ts';
import { escapeControl } from './text.ts';

/** Shows what the engine tells: one line that is redrawn on a terminal, a plain line every ten seconds elsewhere. */
export interface Progress {
  readonly emit: EventSink;
  /** Removes the line that is redrawn; call it before anything else is printed. */
  stop(): void;
}

/** Time between two plain lines, in milliseconds; what is new about the platform is told sooner. */
const PLAIN_EVERY_MS = 10_000;
const NEWS_EVERY_MS = 1_000;

/** What showing progress takes of the context of a command. */
export interface ProgressWorld {
  readonly io: Pick<Io, 'stderr' | 'timing' | 'env'>;
  readonly globals: { readonly quiet: boolean; readonly progress: boolean };
  readonly color: { readonly stderr: boolean };
}

/**
 * Starts showing progress on standard error, unless the command line forbids it. `first` tells what is known before
 * anything is done.
 */
export async function showProgress(world: ProgressWorld, first?: PushEvent): Promise<Progress> {
  const { io, globals } = world;
  const state = new ProgressState();
  if (globals.quiet || !globals.progress) return { emit: () => undefined, stop: () => undefined };
  if (first) state.apply(first);
  const spinner = await spinnerFor(world, state.text());
  const due = plainLines(io.timing.monotonicMs());
  return {
    emit(event) {
      state.apply(event);
      if (spinner) spinner.text = state.text();
      else if (due(event, state.troubleText(), io.timing.monotonicMs())) io.stderr.write(`${state.text()}\n`);
    },
    stop: () => void spinner?.stop(),
  };
}

/** Tells for each event whether a plain line is due. News wait for the retry that says how long, and are told once. */
function plainLines(startMs: number): (event: PushEvent, trouble: string, nowMs: number) => boolean {
  const told = { lineMs: startMs, newsMs: -Infinity, news: '' };
  let hasNews = false;
  return (event, trouble, nowMs) => {
    hasNews ||= isNews(event);
    if (isNews(event) && event.kind !== 'recovered') return false;
    const isTold = event.kind === 'retry' || event.kind === 'recovered';
    const isDue = hasNews && isTold && trouble !== told.news && nowMs - told.newsMs >= NEWS_EVERY_MS;
    if (!isDue && nowMs - told.lineMs < PLAIN_EVERY_MS) return false;
    if (isDue) Object.assign(told, { newsMs: nowMs, news: trouble });
    told.lineMs = nowMs;
    hasNews = false;
    return true;
  };
}

async function spinnerFor({ io, color }: ProgressWorld, text: string): Promise<Ora | undefined> {
  // Without a width ora would clear lines without end.
  const canRedraw = io.stderr.isTTY && io.stderr.columns !== undefined && io.env['TERM'] !== 'dumb';
  if (!canRedraw) return undefined;
  const { default: ora } = await import('ora');
  // Ora would write colours whatever the user asked for.
  return ora({ text, ...(color.stderr ? {} : { color: false }), discardStdin: false }).start();
}

/** What has been told so far, as one line. */
class ProgressState {
  private phase = 'reading';
  private planned = 0;
  private readonly counts = {
    rows: 0,
    invalid: 0,
    created: 0,
    existing: 0,
    verify: 0,
    rejected: 0,
    retries: 0,
  };
  private trouble: Trouble = {};
  private stopping = '';

  apply(event: PushEvent): void {
    const { counts } = this;
    switch (event.kind) {
      case 'staging':
        counts.rows = event.rows;
        counts.invalid = event.invalid;
        return;
      case 'planned':
        this.planned = event.records;
        this.phase = 'sending';
        return;
      case 'settled':
        for (const [name, count] of Object.entries(event.outcomes)) counts[name as 'created'] += count;
        break;
      case 'retry':
        counts.retries++;
        break;
      case 'stopping':
        this.stopping =
          event.reason === 'interrupted' ? 'stopping: waiting for the requests in flight' : 'stopping';
        return;
      case 'slowed':
      case 'eased':
      case 'paused':
      case 'resumed':
      case 'outage':
      case 'recovered':
        break;
      default:
        return event satisfies never;
    }
    this.trouble = troubleAfter(this.trouble, event);
  }

  /** What is wrong with the platform; empty when nothing is. */
  troubleText(): string {
    return troubleText(this.trouble);
  }

  text(): string {
    const { rows, invalid, created, existing, rejected, verify, retries } = this.counts;
    const settled = created + existing + rejected + verify;
    const parts =
      this.phase === 'reading'
        ? [`reading: ${rows} rows`, named(invalid, 'invalid')]
        : [
            `sending: ${settled} of ${this.planned}`,
            named(created, 'created'),
            named(existing, 'already there'),
            named(verify, 'to verify'),
            named(rejected, 'rejected'),
            named(retries, 'tried again'),
            this.stopping === '' ? this.troubleText() : this.stopping,
          ];
    return escapeControl(parts.filter((part) => part !== '').join(', '));
  }
}

function named(count: number, words: string): string {
  return count === 0 ? '' : `${count} ${words}`;
}
