import { fullBucket } from '../push/token-bucket.ts';
import { chanceFrom, type Chance } from './chance.ts';
import { driftOf } from './drift.ts';
import { latencyModelOf, type DrawnRequest } from './latency-model.ts';
import { sendingMs, type Night, type NightRequest } from './night.ts';
import { mostAtOnceIn, type Sample, type Samples } from './samples.ts';

/** A span of time that has its end between two, in milliseconds. */
export interface TimeInterval {
  readonly lowMs: number;
  readonly highMs: number;
}

/** How long a night takes with so many requests at once. */
export interface Forecast extends TimeInterval {
  readonly concurrency: number;
  /** More requests at once than the rehearsal had, so `highMs` assumes that the platform answers no faster with them. */
  readonly isBeyondRehearsal: boolean;
}

/** The nights that are played for one interval: so many requests together, but never fewer or more nights than this. */
const PLAYED_REQUESTS = 200_000;
const [FEWEST_NIGHTS, MOST_NIGHTS] = [60, 200];

/** The share of nights that end before the interval, and after it. */
const OUTSIDE = 0.01;

/**
 * How much faster or slower another night may be although the parts of the rehearsal were alike, because there is other load on this
 * machine and on the network: a standard deviation as that of `driftOf`.
 */
const OTHER_NIGHT = 0.1;

/** How far a played night is off although each request takes as long as it did, such as under a rate limit. */
const ALLOWANCE = 0.02;

/**
 * How long sending takes. Each played night draws its own rehearsal from the samples (a bootstrap of blocks, because
 * neighbours in time are alike), so that the interval is wide when the samples say little.
 * @param samples at least one of each resource of the night
 */
export function forecastOf(night: Night, samples: Samples, seed: number): Forecast {
  const rehearsed = mostAtOnceIn(samples);
  const possible = Math.min(night.concurrency, night.accounts.length);
  const isBeyondRehearsal = possible > rehearsed;
  const chance = chanceFrom(seed);
  const drift = Math.hypot(driftOf(samples), OTHER_NIGHT);
  const low: number[] = [];
  const high: number[] = [];
  for (let played = nightsOf(night); played > 0; played--) {
    const draw = playedPlatform(samples, { drift, chance });
    // With more requests at once than in the rehearsal each takes as long as in the rehearsal at best.
    const asRehearsed = (request: NightRequest, atOnce: number) => draw(request, Math.min(atOnce, rehearsed));
    low.push(sendingMs(night, asRehearsed));
    if (!isBeyondRehearsal) continue;
    high.push(sendingMs(night, draw));
    // By Little's law each takes longer in this proportion when the platform answers no more requests a second than it did.
    const saturated = (request: NightRequest, atOnce: number) => {
      const { busyMs, pauseMs } = asRehearsed(request, atOnce);
      return { busyMs: busyMs * Math.max(1, atOnce / rehearsed), pauseMs };
    };
    high.push(sendingMs(night, saturated));
  }
  return {
    concurrency: night.concurrency,
    isBeyondRehearsal,
    lowMs: quantile(low, OUTSIDE) * (1 - ALLOWANCE),
    highMs:
      Math.max(quantile(low, 1 - OUTSIDE), high.length === 0 ? 0 : quantile(high, 1 - OUTSIDE)) *
      (1 + ALLOWANCE),
  };
}

/**
 * The platform of one played night: how long each request takes, drawn from a rehearsal that is drawn anew. The whole night is faster
 * or slower than the rehearsal by as much as parts of the rehearsal differ.
 */
function playedPlatform(
  samples: Samples,
  { drift, chance }: { readonly drift: number; readonly chance: Chance },
) {
  const level = Math.exp(drift * normal(chance));
  const models = new Map(
    [...samples].map(([resource, own]) => [resource, latencyModelOf(resampled(own, chance))]),
  );
  return ({ resource, records }: NightRequest, atOnce: number): DrawnRequest => {
    const { busyMs, pauseMs } = models.get(resource)!.draw(records, atOnce, chance);
    return { busyMs: level * busyMs, pauseMs };
  };
}

/** A number of the standard normal distribution (Box and Muller). */
function normal(chance: Chance): number {
  return Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
}

/** The longest time that one account takes alone, in milliseconds: the mean of its requests, one after the other. */
export function longestAccountMs({ accounts }: Night, samples: Samples): number {
  const meanMs = new Map(
    [...samples].map(([resource, own]) => [
      resource,
      own.reduce((sum, { busyMs, pauseMs }) => sum + busyMs + pauseMs, 0) / own.length,
    ]),
  );
  return accounts.reduce(
    (most, requests) =>
      Math.max(
        most,
        requests.reduce((sum, { resource }) => sum + meanMs.get(resource)!, 0),
      ),
    0,
  );
}

/** The time that the rate limit needs at least, in milliseconds; 0 without one. */
export function rateLimitMs({ accounts, rate }: Night): number {
  const requests = accounts.reduce((sum, { length }) => sum + length, 0);
  if (!rate) return 0;
  // The first requests find the bucket full.
  const later = Math.max(0, requests - fullBucket(rate, 0).tokens);
  return (later * rate.perMs) / rate.requests;
}

function nightsOf({ accounts }: Night): number {
  const requests = accounts.reduce((sum, { length }) => sum + length, 1);
  return Math.min(MOST_NIGHTS, Math.max(FEWEST_NIGHTS, Math.round(PLAYED_REQUESTS / requests)));
}

/** As many samples, drawn as blocks of neighbours. */
function resampled(samples: readonly Sample[], chance: Chance): readonly Sample[] {
  const { length } = samples;
  const block = Math.ceil(Math.sqrt(length) / 2);
  const drawn: Sample[] = [];
  while (drawn.length < length) {
    const from = Math.floor(chance() * length);
    for (let at = 0; at < block && drawn.length < length; at++) drawn.push(samples[(from + at) % length]!);
  }
  return drawn;
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.round(share * (sorted.length - 1))]!;
}
