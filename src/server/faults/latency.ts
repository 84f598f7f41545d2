import { createHash } from 'node:crypto';
import type { LatencyProfile } from '../options/latency-profile.ts';
import { chanceOf } from './active-faults.ts';

/** A request of the interface whose body is read. */
export interface LateRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly body: Uint8Array | undefined;
  readonly match?: { readonly endpoint: string | undefined } | undefined;
}

/** Makes the answers of the interface late. */
export interface Latency {
  /** Counts a request as in flight. The returned function waits as long as its answer has to, and ends the count. */
  enter(request: LateRequest): () => Promise<void>;
}

/** @param seed of the chance of a latency. A request and how often it came decide, so the order of requests does not matter. */
export function latencyOf(
  profile: LatencyProfile,
  { seed, wait }: { seed: number; wait: (waitMs: number) => Promise<void> },
): Latency {
  const attempts = new Map<string, number>();
  let inFlight = 0;
  return {
    enter: (request) => {
      inFlight += 1;
      const payload = digestOf(request);
      const attempt = (attempts.get(payload) ?? 0) + 1;
      attempts.set(payload, attempt);
      const chance = (roll: number) => chanceOf({ seed, rule: roll, payload, attempt });
      return async () => {
        const endpoint = request.match?.endpoint ?? '';
        const waitMs = latencyMs(profile, { chance, others: inFlight - 1, endpoint });
        try {
          if (waitMs > 0) await wait(waitMs);
        } finally {
          inFlight -= 1;
        }
      };
    },
  };
}

function digestOf({ method, target, body }: LateRequest): string {
  return createHash('sha256')
    .update(`${method} ${target}\n`)
    .update(body ?? '')
    .digest('hex');
}

/** Whole milliseconds. `others`: how many other requests are in flight. */
export function latencyMs(
  profile: LatencyProfile,
  { chance, others, endpoint = '' }: { chance: (roll: number) => number; others: number; endpoint?: string },
): number {
  const { kind, ms } = profile;
  switch (kind) {
    case 'fixed':
      return ms;
    case 'normal': {
      // Box and Muller. A chance is less than 1, so the logarithm is finite.
      const score = Math.sqrt(-2 * Math.log(1 - chance(0))) * Math.cos(2 * Math.PI * chance(1));
      return Math.max(0, Math.round(ms + profile.deviationMs * score));
    }
    case 'long-tail':
      // The distribution of Pareto with its median at `ms`: one answer in a hundred takes 14 times as long.
      return Math.round(ms * Math.min(MOST_TIMES, (2 * (1 - chance(0))) ** (-1 / TAIL)));
    case 'degrading':
      return ms + profile.eachMs * others;
    case 'recorded': {
      const times = profile.times[endpoint] ?? [];
      return times[Math.floor(chance(0) * times.length)] ?? ms;
    }
  }
  return kind satisfies never;
}

/** The exponent of the tail, and how many times the median an answer takes at most. */
const [TAIL, MOST_TIMES] = [1.5, 100];
