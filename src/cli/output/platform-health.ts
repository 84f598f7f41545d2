import type { PushEvent } from '../push/events.ts';
import { durationText } from './text.ts';

/** Why the platform slows a run down, as far as the events say. Empty while it simply answers. */
export interface PlatformHealth {
  /** Requests at once, before the platform was overloaded and now. */
  readonly throttled?: { readonly from: number; readonly to: number };
  /** Why the platform is believed to be down. */
  readonly outage?: string;
  readonly retry?: Extract<PushEvent, { kind: 'retry' }>;
  readonly paused?: Extract<PushEvent, { kind: 'paused' }>;
}

/** The health after an event. */
export function healthAfter(health: PlatformHealth, event: PushEvent): PlatformHealth {
  switch (event.kind) {
    case 'slowed':
      return { ...health, throttled: { from: health.throttled?.from ?? event.from, to: event.to } };
    case 'eased': {
      const { throttled, ...rest } = health;
      const isOver = !throttled || event.to >= Math.min(throttled.from, event.most);
      return isOver ? rest : { ...rest, throttled: { ...throttled, to: event.to } };
    }
    case 'outage':
      return { ...health, outage: event.reason };
    case 'recovered':
      return withoutWaits(health);
    case 'paused':
      return { ...health, paused: event };
    case 'retry':
      return { ...health, retry: event };
    case 'resumed': {
      const { paused: _, retry: __, ...rest } = health;
      return rest;
    }
    case 'settled':
      // An answer to a request that was in flight when the platform asked everybody to wait does not end the wait.
      return health.paused ? health : withoutWaits(health);
    default:
      return health;
  }
}

function withoutWaits({ throttled }: PlatformHealth): PlatformHealth {
  return throttled ? { throttled } : {};
}

/** `throttled by the platform: 8 → 5, next try in 12 s`; empty for a healthy platform. */
export function healthText({ throttled, outage, retry, paused }: PlatformHealth): string {
  const causes = [
    outage === undefined ? '' : `the platform keeps failing (${outage}): one request at a time`,
    throttled ? `throttled by the platform: ${throttled.from} → ${throttled.to}` : '',
    paused ? `the platform asks to wait ${durationText(paused.waitMs)} (${paused.reason})` : '',
  ].filter((cause) => cause !== '');
  if (!retry) return causes.join(', ');
  const wait = durationText(retry.waitMs);
  if (causes.length > 0) return [...causes, `next try in ${wait}`].join(', ');
  return `account ${retry.account}: ${retry.reason}, next try (attempt ${retry.attempt}) in ${wait}`;
}

/** Whether a person would judge the run differently after the event. The other events only count on. */
export function isNews(event: PushEvent): boolean {
  return ['slowed', 'outage', 'recovered', 'paused'].includes(event.kind);
}
