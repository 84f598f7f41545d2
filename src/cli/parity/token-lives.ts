import type { Exchange } from '../recording/exchange.ts';

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
