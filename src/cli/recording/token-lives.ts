import { clockOfInstant } from '../../core/values/instant.ts';
import type { Exchange } from './exchange.ts';

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
