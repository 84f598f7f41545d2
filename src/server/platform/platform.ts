import { DESCRIPTORS, type Descriptors } from '../../core/contract/resources.ts';
import type { OperatorContract } from '../../core/operator/contract.ts';
import type { CalendarDate } from '../../core/values/calendar-date.ts';
import { dateInZone, instantOfClock, type Instant } from '../../core/values/instant.ts';
import type { Behaviour } from '../options/behaviour.ts';
import type { ServedContract } from '../options/served-contract.ts';
import type { Store } from '../store/store.ts';

/** The store, settings and time that the rules of the platform use. */
export interface Platform {
  readonly store: Store;
  readonly behaviour: Behaviour;
  /** Of the interface, or narrowed by the contract that the platform was started with. */
  readonly descriptors: Descriptors;
  /** Undefined for a platform of the interface alone. */
  readonly contract: OperatorContract | undefined;
  /** Whether the vendors are those of the contract, with any instruction, because the seed has none. */
  takesAnyVendor(): boolean;
  now(): Instant;
  /** The date in the time zone of the platform. */
  today(): CalendarDate;
}

export function platformOf(options: {
  store: Store;
  nowMs: () => number;
  timeZone: string;
  behaviour: Behaviour;
  served?: ServedContract | undefined;
}): Platform {
  return {
    descriptors: options.served?.descriptors ?? DESCRIPTORS,
    contract: options.served?.contract,
    store: options.store,
    takesAnyVendor: () => options.store.vendors.codes().length === 0,
    behaviour: options.behaviour,
    now: () => instantOfClock(options.nowMs()),
    today: () => dateInZone(options.nowMs(), options.timeZone),
  };
}
