import type { CalendarDate } from '../../core/values/calendar-date.ts';
import { dateInZone, instantOfClock, type Instant } from '../../core/values/instant.ts';
import type { Store } from '../store/store.ts';

/** What the behaviours of the platform work with: what it remembers, and its clock. */
export interface Platform {
  readonly store: Store;
  now(): Instant;
  /** The date in the zone of the platform. */
  today(): CalendarDate;
}

export function platformOf(options: { store: Store; nowMs: () => number; timeZone: string }): Platform {
  return {
    store: options.store,
    now: () => instantOfClock(options.nowMs()),
    today: () => dateInZone(options.nowMs(), options.timeZone),
  };
}
