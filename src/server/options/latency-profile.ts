/** How long the platform takes for a request, beside its own work. Times are in milliseconds. */
export type LatencyProfile =
  | { readonly kind: 'fixed'; readonly ms: number }
  | { readonly kind: 'normal'; readonly ms: number; readonly deviationMs: number }
  /** `ms` is the median. */
  | { readonly kind: 'long-tail'; readonly ms: number }
  /** Slower by `eachMs` for each other request in flight. */
  | { readonly kind: 'degrading'; readonly ms: number; readonly eachMs: number }
  /** As long as answers of the endpoint took elsewhere; at once, where none are known. */
  | {
      readonly kind: 'recorded';
      readonly ms: 0;
      readonly times: Readonly<Record<string, readonly number[]>>;
    };

/** The accepted texts, in words. */
export const LATENCY_IN_WORDS =
  'a time such as 20ms, normal:50ms±10ms, long-tail:20ms or degrading:20ms+2ms, with times up to 600s';

const MAX_MS = 600_000;
const TIME = String.raw`(\d{1,6})(ms|s)`;
const ONE_TIME = new RegExp(`^(?:(long-tail):)?${TIME}$`);
const TWO_TIMES = new RegExp(String.raw`^(?:(normal):${TIME}(?:±|\+-)|(degrading):${TIME}\+)${TIME}$`);

/** Undefined for a text that is no profile. */
export function latencyProfile(text: string): LatencyProfile | undefined {
  const one = ONE_TIME.exec(text);
  if (one) {
    const ms = msOf(one[2]!, one[3]!);
    if (ms > MAX_MS) return undefined;
    return one[1] === undefined ? { kind: 'fixed', ms } : { kind: 'long-tail', ms };
  }
  const two = TWO_TIMES.exec(text);
  if (!two) return undefined;
  const [, normal, normalCount, normalUnit, , count, unit, lastCount, lastUnit] = two;
  const ms = msOf(normalCount ?? count!, normalUnit ?? unit!);
  const other = msOf(lastCount!, lastUnit!);
  if (ms > MAX_MS || other > MAX_MS) return undefined;
  return normal === undefined
    ? { kind: 'degrading', ms, eachMs: other }
    : { kind: 'normal', ms, deviationMs: other };
}

const msOf = (count: string, unit: string): number => Number.parseInt(count, 10) * (unit === 's' ? 1_000 : 1);
