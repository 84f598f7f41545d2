/** Random numbers that are the same for the same seed. */
export interface Chance {
  /** From 0 up to but not including 1. */
  next(): number;
  /** A whole number from 0 up to but not including `below`. */
  below(below: number): number;
  pick<T>(from: readonly T[]): T;
}

/** The generator Mulberry32, which is small and good enough to spread faults. */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { next, below, pick: (from) => from[below(from.length)]! };
}
