import { clockOfInstant } from '../../core/values/instant.ts';
import { endpointOfExchange, type EndpointName, type Exchange } from './exchange.ts';

/** How fast and how strict a recorded platform was. */
export interface RecordedPace {
  /** How long each answer of an endpoint took, in milliseconds, the shortest first. */
  readonly latenciesMs: Readonly<Partial<Record<EndpointName, readonly number[]>>>;
  /** None for a platform that never asked to wait. */
  readonly limits: readonly RecordedLimit[];
}

/** How many requests of some endpoints together were answered within a time. */
export interface RecordedLimit {
  readonly endpoints: readonly EndpointName[];
  readonly requests: number;
  readonly withinMs: number;
  /** Null when it did not say how long to wait. */
  readonly retryAfterS: number | null;
}

/** Times in which most platforms count requests, in milliseconds. */
const WINDOWS_MS = [1, 2, 5, 10, 15, 20, 30, 60].map((seconds) => seconds * 1_000);

export function paceOfRecording({ exchanges }: { readonly exchanges: readonly Exchange[] }): RecordedPace {
  const answered = exchanges.filter(({ status }) => status !== null && status !== 429 && status < 500);
  const latenciesMs = Object.fromEntries(
    [...Map.groupBy(answered, endpointOfExchange)].map(([endpoint, each]) => [
      endpoint,
      each.map(({ took_ms }) => took_ms).toSorted((a, b) => a - b),
    ]),
  );
  return { latenciesMs, limits: limitsIn(exchanges) };
}

/** Endpoints have one limit together where that explains their answers 429 almost as well as a limit for each. */
const ALMOST = 0.25;

/** The limits of the endpoints with an answer 429. No other endpoint showed one. */
function limitsIn(exchanges: readonly Exchange[]): readonly RecordedLimit[] {
  // The twin has no endpoint for other paths.
  const timed = exchanges.filter((each) => each.status !== null && endpointOfExchange(each) !== 'other');
  const found = new Set(timed.filter(({ status }) => status === 429).map(endpointOfExchange));
  const limitOf = (endpoints: readonly EndpointName[]) =>
    limitIn(
      endpoints,
      timed.filter((each) => endpoints.includes(endpointOfExchange(each))),
    );
  // A platform counts requests for tokens before it knows whose they are.
  const ofTokens = found.delete('token') ? [limitOf(['token'])] : [];
  const each = [...found].map((endpoint) => limitOf([endpoint]));
  const spread = each.reduce((most, one) => Math.max(most, one.spread), 0);
  const together = found.size > 1 ? [limitOf([...found])] : [];
  const others = together.some((one) => one.spread <= spread + ALMOST) ? together : each;
  return [...ofTokens, ...others].map(({ limit }) => limit);
}

/** The lifetime of the tokens of a platform, in seconds. A token is read a moment after it was made, and an earlier one may be given again. */
export function tokenLifeIn(exchanges: readonly Exchange[]): number {
  return roundedLife(Math.max(1, ...exchanges.flatMap(({ lifetime_s }) => lifetime_s ?? [])));
}

/** Whole minutes or tens of seconds, where the time on the way explains the rest. */
export function roundedLife(seconds: number): number {
  const near = (unit: number, within: number): number | undefined => {
    const whole = Math.round(seconds / unit) * unit;
    return whole > 0 && Math.abs(whole - seconds) <= within ? whole : undefined;
  };
  return near(60, 5) ?? near(10, 2) ?? (seconds % 5 === 4 ? seconds + 1 : seconds);
}

/** How much later than its end a token can be refused, and an answer still say that it holds. */
const LATE = 1.1;

/**
 * The exchanges with the lifetimes that tokens really had. A token can say that it holds for an hour on a platform that refuses it after a
 * minute: then two tokens or more were refused at about the same age, and none was taken when it was older.
 */
export function withRealLives(exchanges: readonly Exchange[]): readonly Exchange[] {
  const tokens = exchanges
    .filter(({ lifetime_s }) => lifetime_s !== undefined && lifetime_s !== null)
    .map(({ at, took_ms }) => clockOfInstant(at) + took_ms);
  const taken: number[] = [];
  /** The age at which each token was refused first. */
  const refused = new Map<number, number>();
  for (const { at, token, status } of exchanges) {
    const madeMs = tokens.findLast((made) => made <= clockOfInstant(at));
    if (madeMs === undefined || token !== undefined || status === null) continue;
    const age = (clockOfInstant(at) - madeMs) / 1_000;
    if (status !== 401) taken.push(age);
    else refused.set(madeMs, Math.min(age, refused.get(madeMs) ?? age));
  }
  const life = Math.min(...refused.values());
  if (refused.size < 2 || Math.max(0, ...taken, ...refused.values()) > life * LATE + 1) return exchanges;
  const seconds = Math.max(1, Math.round(life));
  return exchanges.map((each) => ({
    ...each,
    ...(each.lifetime_s && { lifetime_s: Math.min(each.lifetime_s, seconds) }),
  }));
}

/**
 * The limit that explains the answers 429: before each of them about as many requests were answered within the same time. Of several times
 * the one counts in which these numbers differ least, and of equal ones the one that is nearest to the longest time that the platform asks to wait.
 */
function limitIn(
  endpoints: readonly EndpointName[],
  exchanges: readonly Exchange[],
): { limit: RecordedLimit; spread: number } {
  const timed = exchanges
    .map((each) => ({ each, atMs: clockOfInstant(each.at) }))
    .toSorted((a, b) => a.atMs - b.atMs);
  const refused = timed.filter(({ each }) => each.status === 429);
  const taken = timed.filter(({ each }) => each.status !== 429).map(({ atMs }) => atMs);
  const waits = refused.flatMap(({ each }) => wholeNumber(each.headers['retry-after']));
  const longestMs = waits.reduce((most, seconds) => Math.max(most, seconds), 0) * 1_000;
  const windows = new Set([...WINDOWS_MS, ...(longestMs > 0 ? [longestMs] : [])]);
  const fromWait = (withinMs: number): number => Math.abs(withinMs - longestMs);
  const [best] = [...windows]
    .map((withinMs) => {
      const counts = countsWithin(
        taken,
        refused.map(({ atMs }) => atMs),
        withinMs,
      );
      const requests = counts.reduce((most, count) => Math.max(most, count), 1);
      // As many as were answered within the time at any moment cannot be too many.
      const most = countsWithin(taken, taken, withinMs).reduce(
        (all, count) => Math.max(all, count),
        requests,
      );
      const least = counts.reduce((all, count) => Math.min(all, count));
      return { withinMs, requests, spread: (most - least) / most };
    })
    .toSorted(
      (a, b) => a.spread - b.spread || fromWait(a.withinMs) - fromWait(b.withinMs) || a.withinMs - b.withinMs,
    );
  const { spread, ...counted } = best!;
  const retryAfterS = waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)] ?? null;
  return { limit: { endpoints, ...counted, retryAfterS }, spread };
}

/** How many times there are within a time before each moment. Both are sorted. */
function countsWithin(times: readonly number[], moments: readonly number[], withinMs: number): number[] {
  let [from, to] = [0, 0];
  return moments.map((moment) => {
    while (to < times.length && times[to]! <= moment) to++;
    while (from < to && times[from]! <= moment - withinMs) from++;
    return to - from;
  });
}

function wholeNumber(text: string | undefined): readonly number[] {
  return text !== undefined && /^\d{1,6}$/.test(text) ? [Number.parseInt(text, 10)] : [];
}
