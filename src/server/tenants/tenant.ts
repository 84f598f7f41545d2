import { clockOver, type Clock } from '../platform/clock.ts';
import { armedFaults, type ArmedFaults } from '../faults/armed.ts';
import type { Held } from '../faults/held.ts';
import { passageOf, type Passage } from '../faults/passage.ts';
import type { FaultPlan } from '../faults/rule.ts';
import { placesOf, type Place } from '../pipeline/route-match.ts';
import type { Behaviour } from '../options/behaviour.ts';
import { platformOf } from '../platform/platform.ts';
import { requestLog, type RequestLog } from '../http/request-log.ts';
import { routesOf } from '../routes/routes.ts';
import type { ServerContext } from '../routes/server-context.ts';
import { applySeed, type Seed } from '../seed/seed.ts';
import type { ServerOptions } from '../options/server-options.ts';
import { snapshotsBeside } from '../snapshots/snapshots-beside.ts';
import type { ApiKey } from '../store/api-keys.ts';
import { openHeldStore } from '../store/held-store.ts';
import type { Store } from '../store/store.ts';
import { tokensOf, type Tokens } from '../auth/tokens.ts';

/** A platform with all that it has of its own: data, clock, tokens, faults, log. A server has one, unless it isolates. */
export interface World {
  readonly store: Store;
  readonly clock: Clock;
  readonly tokens: Tokens;
  readonly faults: ArmedFaults;
  readonly passage: Passage;
  readonly requests: RequestLog;
  /** By path. */
  readonly places: ReadonlyMap<string, Place>;
  close(): void;
}

/** What the worlds of a server have in common. */
export interface WorldSettings extends Pick<ServerContext, 'identity' | 'acceptFaults' | 'limits'> {
  readonly timeZone: string;
  readonly behaviour: Partial<Behaviour>;
  readonly tokenTtlSeconds: number;
  readonly randomBytes: (size: number) => Uint8Array;
  /** The real clock: milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly crash: ServerOptions['crash'];
  /** What a store is brought to, again with each reset; undefined leaves it as it is. */
  readonly seedFor: (store: Store) => Seed | undefined;
  readonly held: Held;
}

/** What is particular to one. */
export interface WorldParts {
  /** Path of the database, or `:memory:`. */
  readonly database: string;
  /** The faults it begins with. */
  readonly plan: FaultPlan;
  /** Keys that tokens are given for. */
  readonly apiKeys: (store: Store) => readonly ApiKey[];
}

/** @throws AppError `database_in_use`, `database_unusable` */
export function openWorld({ database, plan, apiKeys }: WorldParts, settings: WorldSettings): World {
  const store = openHeldStore(database);
  try {
    const clock = clockOver(settings.nowMs);
    const platform = platformOf({
      store,
      nowMs: clock.nowMs,
      timeZone: settings.timeZone,
      behaviour: settings.behaviour,
    });
    const seed = settings.seedFor(store);
    const reseed = () => {
      if (seed) applySeed(seed, store, platform.now());
    };
    store.write(reseed);

    const tokens = tokensOf({
      makeSecret: () => settings.randomBytes(32),
      ttlSeconds: settings.tokenTtlSeconds,
      nowMs: clock.nowMs,
    });
    const faults = armedFaults(plan);
    const passage = passageOf({
      faults,
      held: settings.held,
      write: store.write,
      crash: settings.crash ?? (() => {}),
      expireTokens: () => tokens.expireAll(),
      // `Retry-After` is told from the `Date` of the answer, and that is the real one.
      nowMs: settings.nowMs,
    });
    const requests = requestLog();
    const routes = routesOf({
      ...settings,
      platform,
      clock,
      tokens,
      apiKeys: () => apiKeys(store),
      reseed,
      faults,
      requests,
      snapshots: snapshotsBeside(database),
    });
    const places = new Map(placesOf(routes).map((place) => [place.path, place]));
    return { store, clock, tokens, faults, passage, requests, places, close: () => store.close() };
  } catch (error) {
    store.close();
    throw error;
  }
}
