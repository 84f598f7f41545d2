import type { PushEvent } from '../../push/events.ts';
import { restText } from '../text/text.ts';

/** Why the platform slows a run down, as far as the events say. Empty while it simply answers. */
export interface PlatformHealth {
  /** Requests at once, before the platform was overloaded and now. */
  readonly throttled?: { readonly from: number; readonly to: number };
  /** The platform is believed to be down. The wait is that for the next probe. */
  readonly outage?: Wait<'outage'>;
  /** The last wait of each account whose request failed. */
  readonly retries?: ReadonlyMap<string, Wait<'retry'>>;
  readonly paused?: Wait<'paused'>;
}

/** A wait, and its end by the monotonic clock. */
type Wait<Kind extends PushEvent['kind']> = Extract<PushEvent, { kind: Kind }> & { readonly untilMs: number };

/** The health after an event. `nowMs`: by the monotonic clock. */
export function healthAfter(health: PlatformHealth, event: PushEvent, nowMs: number): PlatformHealth {
  switch (event.kind) {
    case 'slowed':
      return { ...health, throttled: { from: health.throttled?.from ?? event.from, to: event.to } };
    case 'eased': {
      const { throttled, ...rest } = health;
      const isOver = !throttled || event.to >= Math.min(throttled.from, event.most);
      return isOver ? rest : { ...rest, throttled: { ...throttled, to: event.to } };
    }
    case 'outage':
      return { ...health, outage: { ...event, untilMs: nowMs + event.waitMs } };
    case 'recovered':
      return withoutWaits(health);
    case 'paused':
      return { ...health, paused: { ...event, untilMs: nowMs + event.waitMs } };
    case 'retry': {
      const retry = { ...event, untilMs: nowMs + event.waitMs };
      return { ...health, retries: new Map(health.retries).set(event.account, retry) };
    }
    case 'resumed': {
      const { paused: _, retries: __, ...rest } = health;
      return rest;
    }
    case 'settled':
      // An answer to a request that was in flight when the platform asked everybody to wait does not end the wait.
      return health.paused ? health : withoutWaits(health);
    default:
      return health;
  }
}

const withoutWaits = ({ throttled }: PlatformHealth): PlatformHealth => (throttled ? { throttled } : {});

/** `throttled by the platform: 8 → 5, next try in 12 s`; empty for a healthy platform. `nowMs`: by the monotonic clock. */
export function healthText({ throttled, outage, retries, paused }: PlatformHealth, nowMs: number): string {
  const causes = [
    outage ? `the platform keeps failing (${outage.reason}): one request at a time` : '',
    throttled ? `throttled by the platform: ${throttled.from} → ${throttled.to}` : '',
    paused ? `the platform asks to wait (${paused.reason})` : '',
  ].filter((cause) => cause !== '');
  const [retry] = [...(retries?.values() ?? [])].toSorted((a, b) => a.untilMs - b.untilMs);
  const untilMs = Math.max(...[outage, paused, retry].map((wait) => wait?.untilMs ?? -Infinity));
  if (untilMs === -Infinity) return causes.join(', ');
  const next = (attempt = ''): string =>
    untilMs > nowMs ? `next try${attempt} in ${restText(untilMs - nowMs)}` : `trying again now${attempt}`;
  if (causes.length > 0 || !retry) return [...causes, next()].join(', ');
  return `account ${retry.account}: ${retry.reason}, ${next(` (attempt ${retry.attempt})`)}`;
}

/** Whether a person would judge the run differently after the event. The other events only count on. */
export function isNews(event: PushEvent): boolean {
  return ['slowed', 'outage', 'recovered', 'paused'].includes(event.kind);
}
