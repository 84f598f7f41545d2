import type { CalendarDate } from '../../core/values/calendar-date.ts';
import { dateInZone, instantOfClock, type Instant } from '../../core/values/instant.ts';
import { BEHAVIOUR_DEFAULTS, type Behaviour } from '../options/behaviour.ts';
import type { Store } from '../store/store.ts';

/** The store, settings and time that the rules of the platform use. */
export interface Platform {
  readonly store: Store;
  readonly behaviour: Behaviour;
  now(): Instant;
  /** The date in the time zone of the platform. */
  today(): CalendarDate;
}

export function platformOf(options: {
  readonly store: Store;
  readonly nowMs: () => number;
  readonly timeZone: string;
  readonly behaviour?: Partial<Behaviour>;
}): Platform {
  return {
    store: options.store,
    behaviour: { ...BEHAVIOUR_DEFAULTS, ...options.behaviour },
    now: () => instantOfClock(options.nowMs()),
    today: () => dateInZone(options.nowMs(), options.timeZone),
  };
}
