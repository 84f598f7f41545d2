import type { PushEvent } from '../push/events.ts';
import { durationText } from './text.ts';

/** What is known of a platform that does not simply answer. */
export interface Trouble {
  /** How many requests at once it was, and is now. */
  readonly throttled?: { readonly from: number; readonly to: number };
  /** Why it is believed to be down. */
  readonly outage?: string;
  /** What waits, and how long. */
  readonly retry?: Extract<PushEvent, { kind: 'retry' }>;
  readonly paused?: Extract<PushEvent, { kind: 'paused' }>;
}

/** What an event makes of it. */
export function troubleAfter(trouble: Trouble, event: PushEvent): Trouble {
  switch (event.kind) {
    case 'slowed':
      return { ...trouble, throttled: { from: trouble.throttled?.from ?? event.from, to: event.to } };
    case 'eased': {
      const { throttled, ...rest } = trouble;
      const isOver = !throttled || event.to >= Math.min(throttled.from, event.most);
      return isOver ? rest : { ...rest, throttled: { ...throttled, to: event.to } };
    }
    case 'outage':
      return { ...trouble, outage: event.reason };
    case 'recovered':
      return withoutWaits(trouble);
    case 'paused':
      return { ...trouble, paused: event };
    case 'retry':
      return { ...trouble, retry: event };
    case 'resumed': {
      const { paused: _, retry: __, ...rest } = trouble;
      return rest;
    }
    case 'settled':
      // What was in flight when everybody was asked to wait does not end the wait.
      return trouble.paused ? trouble : withoutWaits(trouble);
    default:
      return trouble;
  }
}

function withoutWaits({ throttled }: Trouble): Trouble {
  return throttled ? { throttled } : {};
}

/** `throttled by the platform: 8 → 5, next try in 12 s`; empty when there is nothing to tell. */
export function troubleText({ throttled, outage, retry, paused }: Trouble): string {
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

/** Events that change what a person would make of the run; the others only go on with it. */
export function isNews(event: PushEvent): boolean {
  return ['slowed', 'outage', 'recovered', 'paused'].includes(event.kind);
}
