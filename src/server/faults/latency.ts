import { createHash } from 'node:crypto';
import type { ServerPace } from '../options/server-options.ts';
import { chanceOf } from './active-faults.ts';

/** A request of the interface whose body is read. */
export interface LateRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly body: Uint8Array | undefined;
  readonly match?: { readonly endpoint: string | undefined } | undefined;
}

interface LatencyOptions {
  /** How late each answer is. */
  readonly ms: number;
  /** As late as answers of the endpoint were elsewhere; at once, where none are known. Undefined: as `ms` says. */
  readonly recorded: ServerPace['latenciesMs'] | undefined;
  /** Of the chance of a recorded time. A request and how often it came decide, so the order of requests does not matter. */
  readonly seed: number;
  readonly wait: (waitMs: number) => Promise<void>;
}

/** Makes the answers of the interface late: waits as long as the answer to a request has to. */
export type Latency = (request: LateRequest) => Promise<void>;

export function latencyOf({ ms, recorded, seed, wait }: LatencyOptions): Latency {
  const attempts = new Map<string, number>();
  const recordedMs = (request: LateRequest, times: readonly number[]): number => {
    const payload = digestOf(request);
    const attempt = (attempts.get(payload) ?? 0) + 1;
    attempts.set(payload, attempt);
    return times[Math.floor(chanceOf({ seed, rule: 0, payload, attempt }) * times.length)] ?? 0;
  };
  return async (request) => {
    const times = recorded?.[request.match?.endpoint ?? ''] ?? [];
    const waitMs = recorded ? recordedMs(request, times) : ms;
    if (waitMs > 0) await wait(waitMs);
  };
}

function digestOf({ method, target, body }: LateRequest): string {
  return createHash('sha256')
    .update(`${method} ${target}\n`)
    .update(body ?? '')
    .digest('hex');
}
